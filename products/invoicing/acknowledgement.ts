import { portalTime } from '#shared/domain/e-invoice.ts';
import { parseJson } from '#shared/platform/parse-json.ts';

/** What the portal gave a document when it registered it. */
export interface Acknowledgement {
  ackNumber: string;
  /** Epoch milliseconds. */
  ackAt: number;
}

/** A response of a portal is a few levels deep; some of them are JSON inside a text. */
const deepest = 10;

/**
 * The acknowledgement of an IRN, wherever it is in a response. The portal reports it beside the refusal of a duplicate (2150), and each
 * service provider puts it elsewhere: in `result`, `info` or `InfoDtls`, alone or in a list, among the errors, as JSON in a text, or as a
 * text such as `{AckNo=…, AckDt=…, Irn=…}`.
 */
export function acknowledgementIn(value: unknown, irn: string, depth = deepest): Acknowledgement | undefined {
  if (depth === 0 || value === null) return undefined;
  if (typeof value === 'string') {
    const parsed = parseJson(value);
    return typeof parsed === 'object' ? acknowledgementIn(parsed, irn, depth - 1) : ofText(value, irn);
  }
  if (typeof value !== 'object') return undefined;
  const own = ofFields(value, irn);
  if (own !== undefined) return own;
  for (const each of Object.values(value)) {
    const inside = acknowledgementIn(each, irn, depth - 1);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function ofFields(object: object, irn: string): Acknowledgement | undefined {
  const fields = new Map(
    Object.entries(object).map(([name, value]) => [name.toLowerCase().replaceAll('_', ''), String(value)]),
  );
  if (fields.get('irn')?.toLowerCase() !== irn) return undefined;
  return acknowledgementOf(fields.get('ackno'), fields.get('ackdt') ?? fields.get('ackdate'));
}

function ofText(text: string, irn: string): Acknowledgement | undefined {
  if (!text.toLowerCase().includes(irn)) return undefined;
  const number = /\back_?no\W{1,4}(\d+)/i.exec(text)?.[1];
  return acknowledgementOf(number, /\back_?(?:dt|date)\W{1,4}([\d/-]{10}[ T][\d:]{8}(?: ?[AP]M)?)/i.exec(text)?.[1]);
}

function acknowledgementOf(number = '', time = ''): Acknowledgement | undefined {
  const ackAt = timeOf(time);
  return /^\d{6,20}$/.test(number) && ackAt !== undefined ? { ackNumber: number, ackAt } : undefined;
}

/** The portal writes `2026-11-02 16:05:00`; some providers rewrite it as `02/11/2026 04:05:00 PM`. */
function timeOf(text: string): number | undefined {
  const [, day = '', clock = '', half] = /^([\d/-]{10})[ T](\d\d:\d\d:\d\d)(?: ?([AP])M)?$/i.exec(text.trim()) ?? [];
  const [first = '', second = '', third = ''] = day.split(/[/-]/);
  const date = first.length === 4 ? [first, second, third] : [third, second, first];
  const [hour = '', ...rest] = clock.split(':');
  const hours = half === undefined ? hour : String((Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)).padStart(2, '0');
  try {
    return portalTime(`${date.join('-')} ${[hours, ...rest].join(':')}`);
  } catch {
    return undefined;
  }
}
