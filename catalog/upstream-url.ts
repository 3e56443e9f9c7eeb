import { z } from 'zod';
import { isLinkLocal } from '#shared/platform/addresses.ts';

/** Where the gateway forwards calls. Only the machine's own settings may name a module that runs in the gateway (`file:`). */
export const upstreamUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
  .refine((url) => !URL.canParse(url) || !isLinkLocal(new URL(url).hostname.replaceAll(/[[\]]/g, '')), {
    error: 'is an address that a cloud gives its machines’ credentials at; no API for customers runs there',
  });
