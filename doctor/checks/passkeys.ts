import { type Check, fault, fine, unchecked } from '#doctor/finding.ts';

export const passkeys: Check = {
  name: 'passkeys',
  about: 'are the passkeys of operators of the host of PORTAL_URL?',
  examine: async ({ db, portal: { portalUrl } }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    if (portalUrl === undefined) return [unchecked('PORTAL_URL is not valid.')];
    const { hostname } = new URL(portalUrl);
    const others = await db
      .selectFrom('operator_passkeys')
      .innerJoin('operators', 'operators.id', 'operator_passkeys.operator_id')
      .select(['operators.email', 'operator_passkeys.host'])
      .where('operator_passkeys.host', '<>', hostname)
      .orderBy('operators.email')
      .execute();
    if (others.length === 0) return [fine(`All are of ${hostname}.`)];
    const emails = [...new Set(others.map(({ email }) => email))];
    const hosts = [...new Set(others.map(({ host }) => host))];
    return [
      fault(
        `PORTAL_URL is at ${hostname}, and passkeys of ${emails.join(', ')} are of ${hosts.join(', ')}.`,
        'Browsers offer a passkey only on its own host: these operators can’t confirm what needs one, and add none.',
        'If the host changed for good, run octroi operators remove-passkeys EMAIL for each; they add new ones after the next sign-in.',
      ),
    ];
  },
};
