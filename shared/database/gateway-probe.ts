import { z } from 'zod';

/**
 * `octroi doctor` asks every gateway to call each of its APIs through its own front door, with keys of the moment: the key is looked up in the
 * database as any other, the call goes to the API, and the response comes back. Nothing is counted or logged.
 */

/** On which gateways listen: `<id> <live key> <test key>`. */
export const probeChannel = 'gateway_probe';
/** On which they reply: one ProbeReply each time. */
export const probeReplyChannel = 'gateway_probe_reply';

/** How long a gateway waits for the response to one call. */
export const probeTimeoutMs = 5000;
/** How long a gateway accepts the keys of a probe. */
export const probeKeysMs = 120_000;

/** The result of one call. */
export const probedCall = z.object({
  product: z.string(),
  /** With a test key, so to its sandbox. */
  test: z.boolean(),
  /** Where this gateway sends such calls, without user and password. */
  address: z.string(),
  /** Of the response; null when there was none. */
  status: z.number().nullable(),
  /** Of a problem, by the gateway or by another one in place of the API. */
  code: z.string().optional(),
  /** Why there was no response. */
  fault: z.string().optional(),
});
export type ProbedCall = z.output<typeof probedCall>;

export const probeReply = z.object({
  probe: z.string(),
  gateway: z.string(),
  /** How many calls it makes. */
  of: z.number(),
  /** Undefined in the reply of a gateway without APIs. */
  call: probedCall.optional(),
});
export type ProbeReply = z.output<typeof probeReply>;

/** With this header and a key of the moment, a gateway says how the call arrived, after so many milliseconds; it goes to no API. */
export const probeHeader = 'x-octroi-probe';
/** The longest time that an API may take. */
export const longestProbeWaitMs = 600_000;

/** How a call through GATEWAY_URL arrived at the gateway. */
export const arrivedProbe = z.object({
  /** Who opened the connection. */
  peer: z.string(),
  /** Whether that is one of TRUSTED_PROXIES. */
  isTrusted: z.boolean(),
  /** X-Forwarded-For. */
  forwarded: z.string().nullable(),
});
export type ArrivedProbe = z.output<typeof arrivedProbe>;
