import { z } from 'zod';
import { instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

const versionSchema = z.object({
  version: z.int(),
  createdAt: instantSchema,
  author: z.string(),
  reason: z.string(),
  /** Null when it was never put into effect, as a gateway could not serve it. */
  activeFrom: instantSchema.nullable(),
});

/** Base64. A catalogue has pictures too. */
const contentSchema = z.base64().max(90_000_000);
const fileSchema = z.strictObject({ path: z.string().max(200), content: contentSchema });

export const listCatalogVersions = defineOperatorCall({
  name: 'listCatalogVersions',
  summary: 'Every version of the catalogue with its time, author and reason, newest first',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({
    versions: z.array(versionSchema),
    /** The version in effect; null before the first start. */
    inEffect: z.int().nullable(),
  }),
});

export const readCatalogVersion = defineOperatorCall({
  name: 'readCatalogVersion',
  summary: 'A version of the catalogue with its files and the prices in them',
  auth: 'operator',
  input: z.strictObject({ version: z.int32().positive() }),
  reply: versionSchema.extend({
    files: z.array(fileSchema),
    prices: z.array(
      z.object({
        product: z.string(),
        /** The plan, or the plan and its pack: `starter`, `starter/extra-1000`. */
        plan: z.string(),
        price: rupeesSchema,
      }),
    ),
  }),
});

const changeReply = z.object({
  /** The new version; null in a preview. */
  version: z.int().nullable(),
  /** The version in effect before it; null before the first start. */
  before: z.int().nullable(),
  /** Not even a comment differs, and there is nothing to put into effect. */
  isSame: z.boolean(),
  changes: z.array(
    z.object({
      product: z.string(),
      change: z.string(),
      /** For whom. */
      affects: z.string(),
    }),
  ),
  prices: z.array(
    z.object({
      product: z.string(),
      plan: z.string(),
      before: rupeesSchema.nullable(),
      after: rupeesSchema.nullable(),
    }),
  ),
  /** Why this version of Octroi can't read the version in effect: then only prices are compared. */
  unreadable: z.array(z.string()),
  /** Whether every gateway has confirmed it; null in a preview. */
  everywhere: z.boolean().nullable(),
});

/** The version in effect that the change was shown against, null before the first start: another one is refused. */
const comparedWith = z.int().nullable();

export const applyCatalog = defineOperatorCall({
  name: 'applyCatalog',
  summary: 'Put a changed catalogue into effect in all running portals and gateways',
  auth: 'operator',
  action: 'catalog.apply',
  concerns: 'provider',
  input: z.strictObject({
    comparedWith,
    /** Whether the files are the whole catalogue, or change those of the version in effect. */
    whole: z.boolean(),
    files: z.array(fileSchema).max(5000),
    /** Paths that the version loses. */
    removed: z.array(z.string().max(200)).max(5000).default([]),
  }),
  reply: changeReply,
});

export const revertCatalog = defineOperatorCall({
  name: 'revertCatalog',
  summary: 'Put an earlier version of the catalogue into effect again, as a new version',
  auth: 'operator',
  action: 'catalog.revert',
  concerns: 'provider',
  input: z.strictObject({ version: z.int32().positive(), comparedWith }),
  reply: changeReply,
});

export const catalogCalls = { listCatalogVersions, readCatalogVersion, applyCatalog, revertCatalog };
