import { certificates, gatewayAddress, google, portalAddress, proxies } from './checks/addresses.ts';
import { backups } from './checks/backups.ts';
import { connections, database, databaseUser, dates, durability, setbacks, standby } from './checks/database.ts';
import { databaseRights } from './checks/database-rights.ts';
import { documentsPlace } from './checks/documents.ts';
import { journalFolder, places } from './checks/folders.ts';
import { catalogue, gateways, journals } from './checks/gateway.ts';
import { gatewaysHere } from './checks/gateways-here.ts';
import { gsp, lettersOfUndertaking, signingCertificate, timeStamps } from './checks/gst.ts';
import { diskSpace, fileModes, fonts, nodeFacilities, nodeVersion } from './checks/machine.ts';
import { mailServer, supportInbox, unsentMails } from './checks/mail.ts';
import { passkeys } from './checks/passkeys.ts';
import { portals } from './checks/portals.ts';
import { metrics, ports } from './checks/ports.ts';
import { razorpayKeys, razorpayWebhook } from './checks/razorpay.ts';
import { razorpayTransfers } from './checks/bank-transfers.ts';
import { razorpayRenewals } from './checks/renewals.ts';
import { brand, mode, placeholders, settings, timeouts, unknownSettings } from './checks/settings.ts';
import { billingDay, clock } from './checks/time.ts';
import { timedWork } from './checks/timed-work.ts';
import { upstreams } from './checks/upstreams.ts';
import { walArchive } from './checks/wal-archive.ts';
import {
  deliveries,
  erasureRequests,
  jobs,
  ledger,
  retention,
  unpaidRefunds,
  unsettledPayments,
} from './checks/work.ts';
import { type Check, type Finding, unchecked } from './finding.ts';
import type { Installation } from './installation.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Every check, in the order in which an operator would look. */
export const checks: readonly Check[] = [
  nodeVersion(),
  nodeFacilities(),
  diskSpace(),
  fileModes,
  fonts(),
  settings,
  placeholders,
  unknownSettings,
  ports,
  metrics,
  timeouts,
  places,
  mode,
  brand,
  catalogue,
  database,
  standby,
  setbacks,
  durability,
  dates,
  connections,
  databaseUser,
  databaseRights,
  clock,
  billingDay,
  portalAddress,
  portals,
  passkeys,
  gatewayAddress,
  certificates,
  proxies,
  google,
  razorpayKeys,
  razorpayWebhook,
  razorpayRenewals,
  razorpayTransfers,
  mailServer,
  supportInbox,
  gsp,
  signingCertificate,
  timeStamps,
  lettersOfUndertaking,
  gateways,
  journalFolder,
  journals,
  gatewaysHere,
  upstreams,
  ledger,
  unsettledPayments,
  unpaidRefunds,
  erasureRequests,
  retention,
  deliveries,
  jobs,
  timedWork,
  unsentMails,
  documentsPlace,
  backups,
  walArchive,
];

/** What a check found, with its name. */
export type NamedFinding = Finding & { check: string };

/** Runs checks at the same time; the findings stand in their order. */
export async function examine(installation: Installation, chosen: readonly Check[] = checks): Promise<NamedFinding[]> {
  const clean = withoutSecrets(installation);
  const found = await Promise.all(
    chosen.map(async (check) => {
      const findings = await run(check, installation);
      return findings.map((finding) => ({ check: check.name, ...clean(finding) }));
    }),
  );
  return found.flat();
}

/** A check that fails itself must not hide the others. */
async function run(check: Check, installation: Installation): Promise<Finding[]> {
  try {
    return await check.examine(installation);
  } catch (error) {
    return [unchecked(`Could not look: ${reasonOf(error)}.`)];
  }
}
