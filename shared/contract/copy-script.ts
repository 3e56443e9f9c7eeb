/**
 * The one script of the public pages: it gives each piece of code a button that copies it. The pages are whole without it; their content security policy
 * names it by its hash.
 */
export const copyScript = `if (navigator.clipboard) for (const code of document.querySelectorAll('[data-code]')) {
  const { copy, copied, failed } = document.body.dataset;
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: copy });
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = copy), 2000);
  };
  button.onclick = () =>
    navigator.clipboard.writeText(code.querySelector('pre').textContent).then(
      () => say(copied),
      () => say(failed),
    );
  code.append(button);
}`;
