import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { type Check, fault, type Finding, fine, unchecked, warning } from '#doctor/finding.ts';

export const passkeys: Check = {
  name: 'passkeys',
  about: 'are the passkeys of operators and members of the host of PORTAL_URL?',
  examine: async ({ db, portal: { portalUrl } }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    if (portalUrl === undefined) return [unchecked('PORTAL_URL is not valid.')];
    const { hostname } = new URL(portalUrl);
    const found = [...(await operatorsElsewhere(db, hostname)), ...(await membersElsewhere(db, hostname))];
    return found.length === 0 ? [fine(`All are of ${hostname}.`)] : found;
  },
};

async function operatorsElsewhere(db: Db, hostname: string): Promise<Finding[]> {
  const others = await db
    .selectFrom('operator_passkeys')
    .innerJoin('operators', 'operators.id', 'operator_passkeys.operator_id')
    .select(['operators.email', 'operator_passkeys.host'])
    .where('operator_passkeys.host', '<>', hostname)
    .orderBy('operators.email')
    .execute();
  if (others.length === 0) return [];
  const emails = [...new Set(others.map(({ email }) => email))];
  const hosts = [...new Set(others.map(({ host }) => host))];
  return [
    fault(
      `PORTAL_URL is at ${hostname}, and passkeys of ${emails.join(', ')} are of ${hosts.join(', ')}.`,
      'Browsers offer a passkey only on its own host: these operators can’t confirm what needs one, and add none.',
      'If the host changed for good, run octroi operators remove-passkeys EMAIL for each; they add new ones after the next sign-in.',
    ),
  ];
}

/** Those that a member has since replaced hinder nobody. */
async function membersElsewhere(db: Db, hostname: string): Promise<Finding[]> {
  const result = await sql`
    select p.host, count(distinct p.member_id)::int as members from member_passkeys p
    where p.host <> ${hostname}
      and not exists (select from member_passkeys o where o.member_id = p.member_id and o.host = ${hostname})
    group by p.host order by p.host`.execute(db);
  const others = checkedRows(z.object({ host: z.string(), members: z.number() }), result);
  if (others.length === 0) return [];
  const counts = others.map(
    ({ host, members }) => `${members} ${members === 1 ? 'member has' : 'members have'} passkeys of ${host}`,
  );
  return [
    warning(
      `PORTAL_URL is at ${hostname}, and ${counts.join(', ')} only.`,
      'Those count for nothing: where an account asks for a passkey, its members must add a new one before they make keys or invite anybody.',
      'If the host changed for good, there is nothing to repair, but tell your customers. If not, set PORTAL_URL back.',
    ),
  ];
}
