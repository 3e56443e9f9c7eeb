import type { Customer } from '#ship/standins/razorpay/entities.ts';
import { badRequest, refusal, unknownId } from '#ship/standins/razorpay/errors.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import { readFields, readNotes } from '#ship/standins/razorpay/input.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';

export function findCustomer(parts: RazorpayParts, id: string): Customer {
  const customer = parts.ledger.state.customers.get(id);
  if (!customer) throw unknownId();
  return customer;
}

/** The customer that an order or an account names; null when it is left out. */
export function readCustomerId(parts: RazorpayParts, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !parts.ledger.state.customers.has(value)) throw unknownId();
  return value;
}

/** A text of at most `most` characters; null when it is left out. */
function readText(value: unknown, field: string, most: number): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') throw badRequest(`The ${field} must be a string.`, field);
  if (text.length > most) throw badRequest(`The ${field} may not be greater than ${most} characters.`, field);
  return text;
}

function readName(value: unknown): string | null {
  const name = readText(value, 'name', 50);
  if (name !== null && name.length < 3) throw badRequest('The name must be at least 3 characters.', 'name');
  return name;
}

function readEmail(value: unknown): string | null {
  const email = readText(value, 'email', 64);
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw badRequest('The email must be a valid email address.', 'email');
  return email;
}

function readContact(value: unknown): string | null {
  const contact = readText(value, 'contact', 15);
  if (contact !== null && !/^\+?\d{8,15}$/.test(contact))
    throw badRequest('Contact number contains invalid characters, only digits and + symbol are allowed', 'contact');
  return contact;
}

const alreadyExists = () =>
  refusal(400, {
    code: 'BAD_REQUEST_ERROR',
    description: 'Customer already exists for the merchant',
    source: 'NA',
    step: 'NA',
    reason: 'NA',
    metadata: {},
  });

/** Another customer with the same e-mail address and phone. */
function findSame(parts: RazorpayParts, { id, email, contact }: Customer): Customer | undefined {
  return [...parts.ledger.state.customers.values()].find(
    (other) => other.id !== id && other.email === email && other.contact === contact,
  );
}

/** A customer; the existing one with the same e-mail address and phone only if that is asked for. */
export function createCustomer(parts: RazorpayParts, body: unknown): Customer {
  const fields = readFields(body, ['name', 'email', 'contact', 'fail_existing', 'gstin', 'notes']);
  const customer: Customer = {
    id: `cust_${randomId()}`,
    entity: 'customer',
    name: readName(fields['name']),
    email: readEmail(fields['email']),
    contact: readContact(fields['contact']),
    gstin: readText(fields['gstin'], 'gstin', 15),
    notes: readNotes(fields['notes']),
    created_at: Math.floor(parts.now() / 1000),
  };
  const same = findSame(parts, customer);
  if (!same) {
    parts.ledger.save({ kind: 'customer', value: customer });
    return customer;
  }
  // As a text only: the number is said to be ignored.
  if (fields['fail_existing'] !== parts.ledger.state.behaviour.mandates.returnsExisting) throw alreadyExists();
  return same;
}

export function editCustomer(parts: RazorpayParts, id: string, body: unknown): Customer {
  const known = findCustomer(parts, id);
  const fields = readFields(body, ['name', 'email', 'contact']);
  const customer: Customer = {
    ...known,
    ...('name' in fields && { name: readName(fields['name']) }),
    ...('email' in fields && { email: readEmail(fields['email']) }),
    ...('contact' in fields && { contact: readContact(fields['contact']) }),
  };
  if (findSame(parts, customer)) throw alreadyExists();
  parts.ledger.save({ kind: 'customer', value: customer });
  return customer;
}
