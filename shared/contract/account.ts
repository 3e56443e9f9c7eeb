import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { withoutHidden } from '#shared/domain/hidden-characters.ts';
import { memberRoles } from '#shared/contract/member-roles.ts';
import { mailKinds } from '#shared/domain/mail-kind.ts';
import { daySchema, doneSchema, instantSchema, oneLine } from '#shared/contract/values.ts';

export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  picture: z.string(),
  givenName: z.string(),
  familyName: z.string(),
});
export type User = z.output<typeof userSchema>;

/** A buyer's purchase order, as the invoice portal takes it: at most 16 letters, digits, - and /. */
export const purchaseOrderNumberSchema = z
  .string()
  .trim()
  .regex(/^[0-9A-Za-z/-]{1,16}$/, 'A purchase order number has up to 16 letters, digits, - and /');

/** What invoices and the checkout need to know about a customer (product §3.2). */
const indianPin = /^[1-9][0-9]{5}$/;

export const profileSchema = z
  .strictObject({
    legalName: z.string().overwrite(oneLine).min(1, 'Enter the name for your invoices').max(100),
    phone: z
      .string()
      .trim()
      // People write +91 98765-43210; spaces and punctuation are removed before storing.
      .overwrite((phone) => phone.replaceAll(/[\s()-]/g, ''))
      .regex(/^(\+?91)?[6-9][0-9]{9}$|^\+[1-9][0-9]{7,14}$/, 'Enter a phone number, such as +91 98765 43210'),
    gstin: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[0-9A-Z]{15}$/, 'A GSTIN has 15 letters and digits')
      .nullable(),
    address: z.string().overwrite(withoutHidden).trim().min(1, 'Enter the address for your invoices').max(200),
    city: z.string().overwrite(oneLine).min(1, 'Enter the city').max(50),
    pin: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9][A-Za-z0-9 -]{1,11}$/, 'A PIN code has six digits'),
    /** 96 outside India. */
    stateCode: z.string().regex(/^[0-9]{2}$/, 'Choose the State'),
    /** A unit or developer in a Special Economic Zone, which the GSTIN does not show; no when absent. */
    sez: z.boolean().optional(),
    /** ISO 3166-1 alpha-2; India when absent. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'Choose the country')
      .optional(),
    purchaseOrder: purchaseOrderNumberSchema.nullish(),
    purchaseOrderDate: daySchema.nullish(),
  })
  .refine(({ purchaseOrder, purchaseOrderDate }) => !purchaseOrderDate || !!purchaseOrder, {
    path: ['purchaseOrder'],
    error: 'Enter the number of the purchase order too',
  })
  .refine((profile) => (profile.country ?? 'IN') !== 'IN' || indianPin.test(profile.pin), {
    path: ['pin'],
    error: 'A PIN code has six digits',
    // Checked even when other fields are invalid, so that a form shows all its errors at once.
    when: ({ value }) => typeof value === 'object' && value !== null && 'pin' in value && typeof value.pin === 'string',
  });
export type Profile = z.output<typeof profileSchema>;

/** Is the buyer a business, which names purchase orders and may pay by bank transfer (product §4.20, §4.29)? */
export const isBusiness = ({ gstin, country }: Profile): boolean => gstin !== null || (country ?? 'IN') !== 'IN';

/** The fields that documents show as they are typed; pages and server check their letters, as the fonts are too much for this schema. */
export const printedFields = ['legalName', 'address', 'city'] as const;

/** The error at `/sez` when the GST portal contradicts the claim (product §6.28). */
export const notAnSez =
  'The GST portal doesn’t list this GSTIN as an active unit or developer in a Special Economic Zone. Remove the mark, or have the registration corrected and try again after an hour';

/** A nonce for one sign-in; the identity token must contain it, once, within ten minutes. */
export const createSignInNonce = defineCall({
  name: 'createSignInNonce',
  summary: 'Begin a sign-in',
  method: 'POST',
  path: '/account/sign-in-nonce',
  auth: 'none',
  reply: z.object({ nonce: z.string() }),
  refusals: ['too_many_requests'],
});

/** Only the verified token counts; the other fields are part of the specification and are ignored (product §3.1). */
export const signIn = defineCall({
  name: 'signIn',
  summary: 'Sign in with a Google identity token',
  method: 'POST',
  path: '/account/google-login',
  auth: 'none',
  body: z.strictObject({
    id: z.string().max(300).optional(),
    name: z.string().max(300).optional(),
    email: z.string().max(300).optional(),
    picture: z.string().max(2000).optional(),
    givenName: z.string().max(300).optional(),
    familyName: z.string().max(300).optional(),
    googleIdToken: z.string().min(1).max(8000),
  }),
  reply: z.object({
    /** Empty while `first` asks. */
    accessToken: z.string(),
    requireOnboarding: z.boolean(),
    /** Who signed in, for 10 minutes: nothing is made before the person has chosen what `readFirst` lists, with `continueSignIn`. */
    first: z.string().optional(),
  }),
  refusals: ['sign_in_failed', 'account_passed_on', 'too_many_requests'],
});

export const signOut = defineCall({
  name: 'signOut',
  summary: 'End this session on the server',
  method: 'POST',
  path: '/account/sign-out',
  auth: 'session',
  reply: doneSchema,
  refusals: [],
});

const kindsSchema = z.array(z.enum(mailKinds)).max(mailKinds.length);

const providerActionSchema = z.object({
  position: z.int(),
  at: instantSchema,
  /** Such as `keys.revoke`. */
  action: z.string(),
  /** The id of what it was done to. */
  target: z.string(),
  reason: z.string(),
  /** The operator who saw the portal as the customer; null for other actions, of which the customer learns what was done, not by whom. */
  by: z.string().nullable(),
});
export type ProviderAction = z.output<typeof providerActionSchema>;

export const readAccount = defineCall({
  name: 'readAccount',
  summary: 'Get the signed-in customer',
  method: 'GET',
  path: '/account',
  auth: 'session',
  reply: z.object({
    /** The customer's id, with what Google says of the person who is signed in. */
    user: userSchema,
    /** What the person may do here (decision 079). */
    role: z.enum(memberRoles),
    /** The calls that the role may not make: the pages offer nothing that leads to one. */
    mayNot: z.array(z.string()),
    memberId: z.string(),
    /** The person is a member of other customers too. */
    hasOthers: z.boolean(),
    /** The name on invoices; that of the owner while there is none. */
    customerName: z.string(),
    /** An owner or accountant has to enter the business profile. */
    requireOnboarding: z.boolean(),
    /** Null also for a role that may not see it. */
    profile: profileSchema.nullable(),
    /** Kinds of mails that the member has switched off, and those on beyond what its role gets. */
    mailsOff: kindsSchema,
    mailsOn: kindsSchema,
    /** Since when and why the provider has blocked this account; calls are refused and nothing can be bought. */
    blocked: z.object({ since: instantSchema, reason: z.string() }).nullable(),
    /** What the provider's operators did in this account, newest first; empty for a role that may not see it. */
    providerActions: z.array(providerActionSchema),
    /** Replies of support that the customer has not read. */
    unreadReplies: z.int(),
    /** Are there guides at /docs? */
    hasGuides: z.boolean(),
  }),
  refusals: [],
});

export const updateMails = defineCall({
  name: 'updateMails',
  summary:
    'Choose which mails you get, of those that your role may have; what the law or security needs cannot be switched off',
  method: 'PUT',
  path: '/account/mails',
  auth: 'session',
  body: z.strictObject({ mailsOff: kindsSchema, mailsOn: kindsSchema.default([]) }),
  reply: doneSchema,
  refusals: [],
});

export const updateProfile = defineCall({
  name: 'updateProfile',
  summary: 'Create or change the business profile',
  method: 'PUT',
  path: '/account/profile',
  auth: 'session',
  body: profileSchema,
  reply: profileSchema,
  refusals: ['sez_checked_too_often', 'too_many_requests'],
});
