const form = /^\d{2}[A-Za-z]{5}\d{4}[A-Za-z][0-9A-Za-z]{3}$/;

/** True for text with the form of a GSTIN, valid or not. */
export function isGstinForm(text: string): boolean {
  return form.test(text);
}

/** A GSTIN as the request log shows it: enough for its owner to recognise it, too little to reveal the PAN. */
export function maskedGstin(gstin: string): string {
  return `${gstin.slice(0, 2)}**********${gstin.slice(-3)}`.toUpperCase();
}
