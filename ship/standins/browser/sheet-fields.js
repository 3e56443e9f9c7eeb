// @ts-check
// The sheet's input: formatted for people, checked before it is sent.

/** @param {number} paise @param {string} currency */
export function formatAmount(paise, currency) {
  const fraction = paise % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat('en-IN', {
    style: 'currency',
    currency,
    minimumFractionDigits: fraction,
    maximumFractionDigits: fraction,
  }).format(paise / 100);
}

/** Groups of four, as on the card. @param {string} text */
export function formatCardNumber(text) {
  return (
    text
      .replace(/\D/g, '')
      .slice(0, 19)
      .match(/.{1,4}/g) ?? []
  ).join(' ');
}

/** `MM / YY`, with the slash put in while typing. @param {string} text @param {boolean} isDeleting */
export function formatExpiry(text, isDeleting) {
  let digits = text.replace(/\D/g, '').slice(0, 4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`.slice(0, 4);
  if (digits.length < 2 || (isDeleting && digits.length === 2)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

/** @param {string} number */
export function cardProblem(number) {
  const digits = number.replace(/\D/g, '');
  return digits.length >= 13 && digits.length <= 19 ? '' : 'Enter the card number.';
}

/** @param {string} expiry @param {Date} today */
export function expiryProblem(expiry, today) {
  const [month = 0, year = 0] = expiry.split('/').map(Number);
  if (!/^\d\d \/ \d\d$/.test(expiry) || month < 1 || month > 12) return 'Enter month and year, MM / YY.';
  const isPast = new Date(2000 + year, month, 1) <= today;
  return isPast ? 'This card has expired.' : '';
}

/** @param {string} cvv */
export function cvvProblem(cvv) {
  return /^\d{3,4}$/.test(cvv) ? '' : 'Enter 3 or 4 digits.';
}

/** @param {string} vpa */
export function vpaProblem(vpa) {
  return /^[\w.-]{2,}@[a-zA-Z]{2,}$/.test(vpa.trim()) ? '' : 'Enter a UPI ID, such as name@bank.';
}

/**
 * Black or white, whichever has more contrast on a colour.
 * @param {string} hex
 */
export function readableOn(hex) {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.36 ? '#111' : '#fff';
}
