// Light or dark colours: as the system has them, until the user chooses.

import { useEffect, useState } from "react";

export type Theme = "light" | "dark";

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    const chosen = window.localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") return chosen;
    return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  });
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const choose = (to: Theme) => {
    window.localStorage.setItem("theme", to);
    setTheme(to);
  };
  return [theme, choose];
}
