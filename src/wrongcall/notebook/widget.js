// Shows `view` of the model, and sets `answer` when a button is clicked. Texts of the program become text nodes only.

function element(name, attributes, text) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text ?? "";
  return made;
}

function render({ model, el }) {
  const box = element("div", { class: "wrongcall", role: "group", "aria-label": "wrongcall" });
  const text = element("pre", { "data-testid": "wrongcall-text", "aria-live": "polite" });
  const trouble = element("div", { role: "alert" });
  const buttons = element("div", {});
  box.append(text, trouble, buttons);
  el.append(box);

  function choose(verdict) {
    const clicks = (model.get("answer").clicks ?? 0) + 1;
    for (const button of buttons.children) button.disabled = true;
    model.set("answer", { verdict, clicks });
    model.save_changes();
  }

  function show() {
    const view = model.get("view");
    text.textContent = view.text;
    box.dataset.kind = view.kind;
    trouble.textContent = view.trouble;
    buttons.replaceChildren();
    for (const answer of view.answers) {
      const button = element("button", { type: "button", title: answer.help }, answer.label);
      button.addEventListener("click", () => choose(answer.verdict));
      buttons.append(button);
    }
  }

  model.on("change:view", show);
  show();
  return () => model.off("change:view", show);
}

export default { render };
