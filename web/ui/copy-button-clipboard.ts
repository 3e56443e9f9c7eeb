/**
 * Puts a text on the clipboard. Where the browser offers no clipboard (a page over plain http that is not this machine), a
 * selected field and the old copy command do it. Throws when the browser refuses both.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
}

function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside an open dialog the focus may not leave it, so the field goes where the focus is.
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error('the browser refused to copy');
}
