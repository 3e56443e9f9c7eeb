import { z } from 'zod';
import { oneLine } from './values.ts';

/** A mail address that somebody enters. */
export const emailSchema = z
  .string()
  .overwrite(oneLine)
  .max(254)
  .regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/, 'Enter an e-mail address, such as accounts@example.com');
