/**
 * Names of the service codes under which API providers sell, from the scheme of classification (annexure to
 * Notification 11/2017-Central Tax (Rate)).
 */
const names: Readonly<Record<string, string>> = {
  '997331': 'Licensing services for the right to use computer software and databases',
  '998311': 'Management consulting and management services',
  '998312': 'Business consulting services including public relations services',
  '998313': 'Information technology (IT) consulting and support services',
  '998314': 'Information technology (IT) design and development services',
  '998315': 'Hosting and information technology (IT) infrastructure provisioning services',
  '998316': 'IT infrastructure and network management services',
  '998319': 'Other information technology services n.e.c.',
  '998395': 'Original compilations of facts or information',
  '998431': 'On-line text based information',
  '998434': 'Software downloads',
  '998439': 'Other on-line contents n.e.c.',
};

/** The name of a service in GSTR-1; for an unlisted code, the name of its heading. */
export function nameOfService(sac: string): string {
  return names[sac] ?? 'Other services';
}
