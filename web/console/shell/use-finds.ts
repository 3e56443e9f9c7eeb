import {
  CreditCard,
  KeyRound,
  LifeBuoy,
  ListTree,
  type LucideIcon,
  Search,
  SquareMousePointer,
  User,
} from 'lucide-react';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { useAllPlaces } from '#web/console/shell/places.ts';
import { useOffered } from '#web/console/ui/action-host.tsx';
import type { Action } from '#web/console/ui/action.ts';

export interface Find {
  key: string;
  /** Where it leads, or what it opens here. */
  to: string | Action;
  name: string;
  more: string;
  icon: LucideIcon;
}

export interface Finds {
  /** What was found of customers. */
  hits: readonly Find[];
  /** The same, then pages, then what can be done on the page that is shown. */
  all: readonly Find[];
  isLoading: boolean;
  /** Why it was not searched for, or not everywhere. */
  fault: string | null;
}

/** Shorter ones are a part of almost everything. */
const minLength = 3;

const customer = (id: string) => `/customers/${encodeURIComponent(id)}`;

/** What a text leads to: customers by anything of theirs, a key, a call, a payment, a thread; and the pages. */
export function useFinds(text: string): Finds {
  const isOn = text.length >= minLength;
  const isKey = text.startsWith('gstk_') || text.startsWith('KEY-');
  const found = useOperatorCall('findCustomers', { text }, { enabled: isOn });
  const keys = useOperatorCall('findKeys', { key: text }, { enabled: isOn && isKey });
  const places = useAllPlaces();
  const offered = useOffered();
  const customers = found.data?.customers ?? [];
  const call = found.data?.call;
  const nameOf = (id: string) => customers.find((each) => each.id === id)?.name ?? id;
  const owners = customers.map(({ name }) => name).join(', ');
  const order = /^(pay_|order_|ORD-|CYC-|RFD-|rfnd_)/.test(text) ? text : found.data?.orderId;
  const isOf = (pattern: RegExp) => customers.length > 0 && pattern.test(text);

  // The thing itself stands for its customer.
  const things: Find[] = [
    ...(keys.data?.keys ?? []).map(({ id, name, prefix, hint, customerId, customerName }) => ({
      key: id,
      to: `${customer(customerId)}?key=${encodeURIComponent(id)}`,
      name: `${name} (${prefix ?? ''}…${hint})`,
      more: `Key of ${customerName}`,
      icon: KeyRound,
    })),
    ...(call === undefined
      ? []
      : [
          {
            key: call.requestId,
            to: `${customer(call.customerId)}?call=${encodeURIComponent(call.requestId)}`,
            name: `${call.status} ${call.method} ${call.path}`,
            more: `Call of ${nameOf(call.customerId)}`,
            icon: ListTree,
          },
        ]),
    ...(customers.length > 0 && order !== undefined
      ? [
          {
            key: order,
            to: `/payments/${encodeURIComponent(order)}`,
            name: text,
            more: `Payment of ${owners}`,
            icon: CreditCard,
          },
        ]
      : []),
    ...(isOf(/^SUP-/)
      ? [
          {
            key: text,
            to: `/support/${encodeURIComponent(text)}`,
            name: text,
            more: `Thread of ${owners}`,
            icon: LifeBuoy,
          },
        ]
      : []),
  ];
  const people = customers.map(({ id, name, email, gstin }) => ({
    key: id,
    to: customer(id),
    name,
    more: gstin === null ? email : `${email} · ${gstin}`,
    icon: User,
  }));
  const others: Find[] =
    (found.data?.next ?? null) === null
      ? []
      : [
          {
            key: 'others',
            to: `/customers?q=${encodeURIComponent(text)}`,
            name: 'All customers that match',
            more: `More than ${people.length}`,
            icon: Search,
          },
        ];
  const hits = isOn ? (things.length > 0 ? things : [...people, ...others]) : [];
  const isNamed = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const pages = places
    .filter(({ name }) => isNamed(name))
    .map(({ path, name, icon }) => ({ key: path, to: path, name, more: 'Page', icon }));
  const actions = offered
    .filter(({ title }) => isNamed(title))
    .map((action) => ({
      key: `on this page: ${action.title}`,
      to: action,
      name: action.title,
      more: 'On this page',
      icon: SquareMousePointer,
    }));
  return {
    hits,
    all: [...hits, ...pages, ...actions],
    isLoading: isOn && (found.isFetching || (isKey && keys.isFetching)),
    fault: (found.error ?? keys.error)?.message ?? null,
  };
}
