import {
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

interface Place {
  path: string;
  name: string;
  icon: LucideIcon;
}

/** The pages of the navigation. */
export const places: readonly Place[] = [
  { path: '/', name: 'Today', icon: Inbox },
  { path: '/customers', name: 'Customers', icon: Users },
  { path: '/support', name: 'Support', icon: LifeBuoy },
  { path: '/money', name: 'Money', icon: IndianRupee },
  { path: '/figures', name: 'Figures', icon: ChartNoAxesColumn },
  { path: '/catalogue', name: 'Catalogue', icon: Tags },
  { path: '/audit', name: 'Audit log', icon: ScrollText },
  { path: '/team', name: 'Team & API', icon: UserCog },
];
