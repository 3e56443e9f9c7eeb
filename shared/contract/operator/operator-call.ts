import { z } from 'zod';

interface DeclaredCall {
  /** The name of the call everywhere, unique. */
  name: string;
  summary: string;
  auth: 'operator';
  /** Strict: a misspelt field would change what is meant, as without an amount all is refunded. */
  input: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** Bytes of a request over HTTP, if more than 64 KB. */
  maxBytes?: number;
}

/** A call of an operator that changes nothing. */
export interface OperatorRead extends DeclaredCall {
  action?: never;
  reply: z.ZodType;
}

/** A read that can be had as a file too: its reply says what is in it. Who took the file is in the audit log. */
export interface OperatorExport extends DeclaredCall {
  action?: never;
  /** The media type of the file. */
  file: 'application/zip';
  reply: z.ZodObject;
}

/**
 * A call of an operator that changes something. It takes a reason besides its input, and is asked twice: for a preview, which changes nothing,
 * and for the effect. Both have the one reply, so that they can be compared field by field; what only the effect can know is null or empty in
 * the preview.
 */
export interface OperatorAction extends DeclaredCall {
  /** Its entry in the audit log. */
  action: `${string}.${string}`;
  /** Whether the entry is about one customer, who reads it. */
  concerns: 'customer' | 'provider';
  reply: z.ZodObject;
}

/** One line without control characters: the audit log is shown at terminals, and no entry may look like another one. */
const lineOf = (most: number) =>
  z
    .string()
    .max(most * 2, { abort: true })
    .overwrite((text) => text.replaceAll(/\s+/g, ' ').trim())
    .min(1)
    .max(most)
    .regex(/^\P{C}*$/u);

/** Who acts, and why: in the audit log with the action, and read by the customer it concerns. */
export const causeSchema = z.strictObject({ actor: lineOf(300), reason: lineOf(1000) });

/** What an operator can ask: in process by the `octroi` command, and by whatever else shows it to people. */
export type OperatorCall = OperatorRead | OperatorExport | OperatorAction;

/** Declares a call and keeps its exact type. */
export const defineOperatorCall = <const C extends OperatorCall>(call: C): C => call;
