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
  { path: '/money', name: 'Money', icon: IndianRupee, call: 'listUnpaidRefunds' },
  { path: '/month-end', name: 'Month end', icon: CalendarCheck, call: 'readMonthEnd' },
  { path: '/figures', name: 'Figures', icon: ChartNoAxesColumn, call: 'readFigures' },
  { path: '/catalogue', name: 'Catalogue', icon: Tags, call: 'listCatalogVersions' },
  { path: '/audit', name: 'Audit log', icon: ScrollText, call: 'listActions' },
  { path: '/team', name: 'Team & API', icon: UserCog, call: 'listOperators' },
];

/** The pages of the navigation that the operator may read. */
export function usePlaces(): readonly Place[] {
  const may = useMay();
  return places.filter(({ call }) => may(call));
}
