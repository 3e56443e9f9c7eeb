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

/** Over HTTP; a larger catalogue is changed a few files at a time. */
const maxBytes = 16 * 1024 * 1024;

/** Base64. A catalogue has pictures too. */
const contentSchema = z.base64().max(90_000_000);
const pathSchema = z.string().max(200);
const fileSchema = z.strictObject({ path: pathSchema, content: contentSchema });

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
  input: z.strictObject({
    version: z.int32().positive(),
    /** Whose content is wanted; without it, that of every file. */
    contents: z.array(pathSchema).max(5000).optional(),
  }),
  reply: versionSchema.extend({
    files: z.array(z.strictObject({ path: pathSchema, bytes: z.int(), content: contentSchema.nullable() })),
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

const draftedPlan = z.strictObject({
  id: z.string().max(100),
  name: z.string().max(200),
  price: rupeesSchema,
  dailyQuota: z.int(),
  monthlyQuota: z.int(),
  rps: z.int(),
});
const soldOperation = z.object({ method: z.string(), path: z.string(), summary: z.string().nullable() });
const shortText = z.string().min(1).max(200);

export const draftProduct = defineOperatorCall({
  name: 'draftProduct',
  summary: 'Draft a product from an OpenAPI document: its files for applyCatalog, and what is left to do',
  auth: 'operator',
  maxBytes,
  input: z.strictObject({
    /** JSON or YAML. */
    document: z.string().max(maxBytes),
    /** Where it was read from; its servers may be relative to it. */
    source: z.url().optional(),
    /** Whether it may be the new document of a product with its id: that keeps its texts and plans, but for what is given here. */
    replaces: z.boolean().default(false),
    id: shortText.optional(),
    name: shortText.optional(),
    gatewayPath: shortText.optional(),
    upstreamUrl: z
      .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
      .optional(),
    /** In place of the free and the paid plan that a draft has. */
    plans: z.array(draftedPlan).min(1).max(50).optional(),
  }),
  reply: z.object({
    id: z.string(),
    name: z.string(),
    gatewayPath: z.string(),
    upstreamUrl: z.string(),
    plans: z.array(draftedPlan),
    /** What it sells. */
    operations: z.array(soldOperation),
    /** Whether it is a product on sale with a new document. */
    isReplacement: z.boolean(),
    /** Against the document so far. Null for a new product, and where that document is with the API, and not in the catalogue. */
    compared: z.object({ added: z.array(soldOperation), gone: z.array(soldOperation) }).nullable(),
    /** What is left to do, one sentence each. */
    remaining: z.array(z.string()),
    files: z.array(fileSchema),
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
  /** Whether every gateway has confirmed it; null in a preview, and while none runs. */
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
  maxBytes,
  input: z.strictObject({
    comparedWith,
    /** Whether the files are the whole catalogue, or change those of the version in effect. */
    whole: z.boolean(),
    files: z.array(fileSchema).max(5000),
    /** Paths that the version loses. */
    removed: z.array(pathSchema).max(5000).default([]),
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

export const catalogCalls = { listCatalogVersions, readCatalogVersion, draftProduct, applyCatalog, revertCatalog };
