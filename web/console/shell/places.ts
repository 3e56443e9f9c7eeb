import { Inbox, type LucideIcon } from 'lucide-react';

interface Place {
  path: string;
  name: string;
  icon: LucideIcon;
}

/** The pages of the navigation. */
export const places: readonly Place[] = [{ path: '/', name: 'Today', icon: Inbox }];
