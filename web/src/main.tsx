import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { newQueryClient } from "./state/requests";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/card.css";
import "./styles/lists.css";
import "./styles/inside.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={newQueryClient()}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
