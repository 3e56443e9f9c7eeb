import { uiTexts } from '#web/ui/texts.ts';

/** How a status is drawn. Colour is never alone: the word always stands beside it. */
export type StatusLook = 'green' | 'amber' | 'red' | 'gray' | 'outline';

const looks = new Map<string, StatusLook>([
  ['ACTIVATED', 'green'],
  ['PAID', 'green'],
  ['CAPTURED', 'green'],
  ['ACTIVE', 'green'],
  ['PAYMENT_PENDING', 'amber'],
  ['PENDING', 'amber'],
  ['DUE', 'red'],
  ['FAILED', 'red'],
  ['FREE', 'outline'],
  ['GRANTED', 'green'],
  ['TEST', 'outline'],
  ['REPLACED', 'amber'],
  ['OPEN', 'amber'],
  ['ANSWERED', 'green'],
  ['DONE', 'green'],
  ['TO_DO', 'amber'],
  ['DIFFERS', 'red'],
]);

/** The look of a status of an activation, a cycle, a payment or a key; any unknown one is grey. */
export function statusLook(status: string): StatusLook {
  return looks.get(status.toUpperCase()) ?? 'gray';
}

/** The words of a status: underscores are shown as spaces (product §4.1). One that is not known stays as it is. */
export function statusText(status: string): string {
  return new Map(Object.entries(uiTexts.statuses)).get(status) ?? status.replaceAll('_', ' ');
}
