import {
  CalendarCheck,
  ChartNoAxesColumn,
  Inbox,
  IndianRupee,
  LifeBuoy,
  type LucideIcon,
  ScrollText,
  Tags,
  UserCog,
  Users,
} from 'lucide-react';
import type { OperatorCallName } from '#shared/contract/operator/calls.ts';
import { useMay } from '#web/console/api/use-operator.ts';
import { moneyParts } from '#web/console/ui/money-tabs.tsx';

interface Place {
  path: string;
  name: string;
  icon: LucideIcon;
  /** The call that it shows: it is offered to those who may make it. */
  call: OperatorCallName;
}

const places: readonly Place[] = [
  { path: '/', name: 'Today', icon: Inbox, call: 'listWaiting' },
  { path: '/customers', name: 'Customers', icon: Users, call: 'findCustomers' },
  { path: '/support', name: 'Support', icon: LifeBuoy, call: 'listThreads' },
  { path: '/money', name: 'Money', icon: IndianRupee, call: 'listPayments' },
  { path: '/month-end', name: 'Month end', icon: CalendarCheck, call: 'readMonthEnd' },
  { path: '/figures', name: 'Figures', icon: ChartNoAxesColumn, call: 'readFigures' },
  { path: '/catalogue', name: 'Catalogue', icon: Tags, call: 'listCatalogVersions' },
  { path: '/audit', name: 'Audit log', icon: ScrollText, call: 'listActions' },
  { path: '/team', name: 'Team & API', icon: UserCog, call: 'listOperators' },
];

/** Pages behind those of the navigation, which the search box finds. */
const parts: readonly Place[] = [
  ...moneyParts.map((part) => ({ ...part, icon: IndianRupee })),
  { path: '/support/answers', name: 'Canned answers', icon: LifeBuoy, call: 'listCannedAnswers' },
  { path: '/catalogue/import', name: 'Import an API', icon: Tags, call: 'draftProduct' },
];

/** The pages of the navigation that the operator may read. */
export function usePlaces(): readonly Place[] {
  const may = useMay();
  return places.filter(({ call }) => may(call));
}

/** All pages that the operator may read. */
export function useAllPlaces(): readonly Place[] {
  const may = useMay();
  return [...places, ...parts].filter(({ call }) => may(call));
}
