/** Of the frame around every page. */
export const shellTexts = {
  brand: 'PORTAL',
  skip: 'Skip to content',
  search: 'Search',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  toDark: 'Switch to dark mode',
  toLight: 'Switch to light mode',
  theme: 'Theme',
  logout: 'Logout',
  account: 'Business details',
  accountOf: (name: string) => (name === '' ? 'Business details' : `Business details of ${name}`),
  offline: 'You are offline. The page goes on by itself when the connection is back.',
  standins: 'Test installation: sign-in and payments are simulated, and no money moves.',
  notFoundTitle: 'Page not found',
  notFoundHere: 'Nothing is kept under this address',
  notFound: 'The link may be old, or a letter of it may be missing.',
  openMarketplace: 'Open Marketplace',
  brokenTitle: 'This page could not be shown',
  broken: 'Something failed in the page itself. Nothing was charged or changed by it.',
} as const;

/** The main navigation. */
export const navigation = [
  { name: 'Marketplace', path: '/marketplace' },
  { name: 'Developer Portal', path: '/developers' },
  { name: 'Billing', path: '/billing' },
  { name: 'Reporting', path: '/reporting' },
] as const;
