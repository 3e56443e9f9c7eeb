import { memberRoles, type MemberRole } from '#shared/contract/member-roles.ts';

/** Reads without a secret and without money, but the price of a plan. */
export const everyMember = memberRoles;
export const ownerOnly = ['owner'] as const;
/** Keys, usage, requests, webhooks; no money, no profile. */
export const technical = ['owner', 'developer'] as const;
/** Payments, papers, business details, TDS, mandates; no keys. */
export const ofMoney = ['owner', 'accountant'] as const;
/** Reads of keys and calls that hold no secret. */
export const seesTechnical = ['owner', 'developer', 'viewer'] as const;
/** Reads of money that hold no link that pays or downloads everything. */
export const seesMoney = ['owner', 'accountant', 'viewer'] as const;

/** The roles that may make each call that a module of the contract has for a session; one without a line doesn't compile. */
export type MemberPolicies<Calls> = {
  readonly [
    Name in keyof Calls as Calls[Name] extends { auth: 'session'; method: string } ? Name : never
  ]: readonly MemberRole[];
};

/**
 * Whether a call needs a passkey of the member where the owner has switched that on (decision 083): before each, before it gives the ownership to the
 * member, or never, because it undoes, ends or only reads.
 */
export type PasskeyRule = 'always' | 'for the ownership' | 'never';

/** The rule of each call of a module that changes something: a new one without a line doesn’t compile. */
export type PasskeyRules<Calls> = {
  readonly [
    Name in keyof Calls as Calls[Name] extends { auth: 'session'; method: 'POST' | 'PUT' | 'DELETE' } ? Name : never
  ]: PasskeyRule;
};
