import { maxActiveKeys, maxKeysPerDay } from '#shared/domain/api-key.ts';
import { maxMembers, maxOpenInvitations } from '#shared/domain/members-of-customer.ts';
import { documentRefusals } from './document-refusals.ts';
import { passkeyRefusals } from './passkey-refusals.ts';
import { planRefusals } from './plan-refusals.ts';
import type { RefusalCode } from './refusal-codes.ts';

export type { RefusalCode } from './refusal-codes.ts';

/**
 * Every refusal of the portal: its code, HTTP status, title and message. The list is closed: a screen maps codes to
 * texts exhaustively, so a new code without a text does not compile. Another customer's id and an unknown id both give
 * the same `not_found`, byte for byte (product §8.2).
 */
export const refusals: Record<RefusalCode, { status: number; title: string; message: string }> = {
  invalid_request: { status: 400, title: 'Invalid request', message: 'The request is invalid. Nothing was changed.' },
  invalid_key_name: {
    status: 400,
    title: 'Invalid key name',
    message: 'Please enter a valid key name (lowercase, max 5 characters, alphanumeric)',
  },
  sign_in_failed: { status: 401, title: 'Login failed', message: 'Login failed. Please try again.' },
  unauthorized: { status: 401, title: 'Unauthorized', message: 'Unauthorized access' },
  forbidden: { status: 403, title: 'Forbidden', message: 'You do not have permission to perform this action.' },
  read_only_view: {
    status: 403,
    title: 'Read-only view',
    message: 'Only the customer can do this. You see this account as an operator; nothing was changed.',
  },
  account_passed_on: {
    status: 403,
    title: 'Account passed on',
    message: 'You passed your account on, or left it. Ask its owner to invite you, or write to support.',
  },
  not_your_role: {
    status: 403,
    title: 'Not for your role',
    message: 'Your role in this account doesn’t allow this. Nothing was changed. Ask the owner of the account.',
  },
  not_found: { status: 404, title: 'Not found', message: 'We couldn’t find this in your account.' },
  account_blocked: {
    status: 409,
    title: 'Account blocked',
    message: 'Your account is blocked. Nothing was changed. The reason is under Account; please write to support.',
  },
  ...planRefusals,
  start_date_past: { status: 422, title: 'Start date has passed', message: 'The start date cannot be before today.' },
  span_too_long: {
    status: 422,
    title: 'Too many days',
    message: 'Choose at most 366 days, with the first day before the last.',
  },
  key_name_taken: {
    status: 409,
    title: 'Key name in use',
    message: 'An active key already has this name. Choose another name, or revoke that key first.',
  },
  too_many_keys: {
    status: 409,
    title: 'Too many keys',
    message: `You have ${maxActiveKeys} active keys, or ${maxActiveKeys} that were replaced and still work, which is the limit. Revoke one first.`,
  },
  too_many_keys_today: {
    status: 409,
    title: 'Too many keys today',
    message: `You have generated or replaced ${maxKeysPerDay} keys today, which is the limit. Try again tomorrow.`,
  },
  key_ended: {
    status: 409,
    title: 'Key no longer active',
    message: 'This key is already revoked, expired or replaced. Generate a new one.',
  },
  key_end_past: {
    status: 422,
    title: 'Expiry in the past',
    message: 'The expiry is in the past. Choose a later time, or revoke the key.',
  },
  test_key_uncapped: {
    status: 422,
    title: 'No daily cap for test keys',
    message: 'A test key doesn’t use your plan’s quota, so it has no daily cap.',
  },
  no_sandbox: {
    status: 409,
    title: 'No test keys',
    message: 'This API has no sandbox, so it has no test keys. Generate a live key instead.',
  },
  thread_full: {
    status: 409,
    title: 'Thread is full',
    message: 'You have written 100 messages in this thread, which is the limit. Start a new one with your question.',
  },
  file_refused: {
    status: 422,
    title: 'Files not accepted',
    message:
      'Files are PDF, JPEG, PNG, or text such as TXT and CSV: 5 of 4 MB together. Nothing was sent: choose others.',
  },
  too_many_files: {
    status: 409,
    title: 'Too many files',
    message: 'All files that you sent to support have 50 MB, which is the limit. Send the message without files.',
  },
  too_many_messages: {
    status: 409,
    title: 'Too many messages',
    message: 'You have written 100 messages to support within a day, which is the limit. Write again tomorrow.',
  },
  profile_incomplete: {
    status: 409,
    title: 'Business profile needed',
    message: 'Add your business details first: the tax invoice must name your State.',
  },
  gstin_not_active: {
    status: 409,
    title: 'GSTIN not active',
    message:
      'The GST portal says that your GSTIN is cancelled or suspended, so you can’t be invoiced with it. Correct the GSTIN in your business details, or remove it, and try again.',
  },
  gstin_unknown: {
    status: 409,
    title: 'GSTIN not found',
    message:
      'The GST portal doesn’t know your GSTIN, so you can’t be invoiced with it. Correct the GSTIN in your business details, or remove it, and try again.',
  },
  nothing_to_pay: { status: 409, title: 'Nothing to pay', message: 'This subscription needs no payment.' },
  cannot_deactivate: {
    status: 409,
    title: 'Already ended',
    message: 'This subscription has already ended. Nothing was changed.',
  },
  ...documentRefusals,
  nothing_claimed: {
    status: 409,
    title: 'Nothing declared',
    message: 'Your business details claim no SEZ or address abroad that this is about. Save them first.',
  },
  sez_not_confirmed: {
    status: 409,
    title: 'Not confirmed as an SEZ',
    message:
      'The GST portal doesn’t list your GSTIN as an active unit or developer in a Special Economic Zone. No payment was begun: remove the mark in your business details, or have your registration corrected and try again after an hour.',
  },
  sez_checked_too_often: {
    status: 409,
    title: 'Checked too often',
    message:
      'Your claim to be in a Special Economic Zone was checked at the GST portal 10 times today, which is the limit. Nothing was changed and no payment was begun: try again tomorrow, or remove the mark in your business details.',
  },
  letter_unreadable: {
    status: 422,
    title: 'File not accepted',
    message: 'This file is not a PDF, JPEG or PNG of at most 1 MB. Choose another one.',
  },
  too_many_letters: {
    status: 409,
    title: 'Too many letters',
    message:
      'At most 5 letters can be uploaded in 30 days, and 10 in a year. Nothing was changed: try again later, or write to support.',
  },
  no_documents_yet: {
    status: 409,
    title: 'No documents yet',
    message: 'You have no documents yet. Add your accountant after your first payment.',
  },
  accountant_declined: {
    status: 409,
    title: 'Declined',
    message: 'This address has declined your mails. Add another address, or send the ZIP of the month yourself.',
  },
  accountant_asked_too_often: {
    status: 409,
    title: 'Asked too often',
    message: 'At most three requests are sent in 30 days, by you and to one address. Try again later.',
  },
  link_expired: {
    status: 409,
    title: 'Link expired',
    message: 'This link has expired. Ask the sender for a new one.',
  },
  member_already: {
    status: 409,
    title: 'Member already',
    message: 'This person is a member already. Change the role instead.',
  },
  invited_already: {
    status: 409,
    title: 'Invited already',
    message: 'This invitation or offer waits already. Revoke it first to make another one.',
  },
  invitations_unwanted: { status: 409, title: 'Unwanted', message: 'This address asked for no more invitations.' },
  invited_too_often: {
    status: 409,
    title: 'Invited too often',
    message: `Too many invitations were sent in the last 24 hours, or too many to this address, or ${maxOpenInvitations} wait. Revoke some, or try again tomorrow.`,
  },
  invitation_for_other: {
    status: 403,
    title: 'For another address',
    message: 'This invitation is for another Google account. Sign in with the account of the address it was sent to.',
  },
  too_many_members: {
    status: 409,
    title: 'Too many members',
    message: `An account has at most ${maxMembers} members. Remove one first.`,
  },
  owner_stays: {
    status: 409,
    title: 'Not for the owner',
    message: 'The owner stays the owner until somebody else has accepted the ownership.',
  },
  no_workspace: {
    status: 409,
    title: 'No Google Workspace',
    message: 'You signed in with a personal Google account. Only people of the same Google Workspace can ask to join.',
  },
  ...passkeyRefusals,
  tds_not_declarable: {
    status: 409,
    title: 'TDS can’t be declared',
    message: 'TDS can be declared once for a subscription that has started, with an invoice to your GSTIN.',
  },
  tds_too_much: {
    status: 422,
    title: 'Amount too high',
    message: 'TDS is at most 10 % of the value without GST, and less than what is left of the payment.',
  },
  tds_wrong_quarter: {
    status: 422,
    title: 'Another quarter',
    message:
      'TDS is deducted in the quarter of the payment, or of an invoice that came before it, or later. Choose one of the quarters that are offered.',
  },
  invalid_webhook_url: {
    status: 422,
    title: 'Address not allowed',
    message: 'Enter an https address that is reachable from the internet. Private network addresses are not allowed.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhooks',
    message: 'You have 10 webhooks, which is the limit. Delete one first.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Switched off',
    message: 'This webhook is switched off, so nothing was sent. Switch it on first.',
  },
  too_many_deliveries: {
    status: 429,
    title: 'Too many deliveries',
    message: 'You have 10 webhook deliveries in progress, so nothing was sent. Try again in a minute.',
  },
  payment_not_verified: {
    status: 422,
    title: 'Payment not verified',
    message: 'Payment completed but verification failed. Please contact support if you face any issues.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many live views',
    message: 'You have 10 live views open, which is the limit. Close one to open another.',
  },
  too_many_requests: { status: 429, title: 'Too many requests', message: 'Too many attempts. Try again in a minute.' },
  internal: { status: 500, title: 'Internal error', message: 'Something failed on our side. Try again.' },
  payment_unknown: {
    status: 500,
    title: 'Payment not confirmed yet',
    message:
      'Something failed on our side. If money left your account, don’t pay again: we will activate your plan or refund you automatically. If not, try again in a few minutes.',
  },
  payment_unknown_unavailable: {
    status: 503,
    title: 'Payment not confirmed yet',
    message:
      'The portal is temporarily unavailable. If money left your account, don’t pay again: we will activate your plan or refund you automatically. If not, try again in a few minutes.',
  },
  payment_provider_unavailable: {
    status: 503,
    title: 'Payment provider unavailable',
    message: 'Failed to create payment order. Try again in a minute.',
  },
  no_document_number: {
    status: 503,
    title: 'Payments temporarily unavailable',
    message: 'We can’t start a new payment right now. Please contact support.',
  },
  requests_unavailable: {
    status: 503,
    title: 'Requests unavailable',
    message:
      'The log of your requests can’t be read right now. They work and are counted as always. Try again in a few minutes.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    message: 'The portal is temporarily unavailable. Try again in a minute.',
  },
};
