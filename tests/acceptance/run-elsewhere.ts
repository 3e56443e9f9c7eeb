/** Why a documented command is not run by documented-commands.test.ts, and which test runs it instead. */
export interface RunElsewhere {
  reason: string;
  /** A file, and for a test its title. */
  by: string;
  title?: string;
}

const becomesProcess = { reason: 'becomes a process', by: 'ship/launch/build.test.ts' };
const eInvoices = { reason: 'needs the stand-in for the invoice portal', by: 'cli/e-invoices/e-invoices.test.ts' };
const drill = {
  reason: 'restores into a database server of its own',
  by: 'cli/backup/backup.test.ts',
  title: 'a key is made, a backup is encrypted for it, and the drill proves it in a database of its own',
};
const corrections = {
  reason: 'needs a buyer in India',
  by: 'cli/documents/documents.test.ts',
  title: 'an operator corrects a GSTIN, and then each invoice by an amendment or by a credit note and a new invoice',
};
const packages = {
  reason: 'needs Docker, Kubernetes or systemd; their files are checked',
  by: 'tests/checks/packages.test.ts',
};
const heldTransfers = {
  reason: 'needs a bank transfer that is held',
  by: 'cli/transfers/transfers.test.ts',
  title: 'held transfers are listed, settled and given back by command, with preview and reason',
};
const machine = { reason: 'is the machine’s own, and changes it', by: 'docs/operating/install.md' };
const installs = { reason: 'installs packages', by: 'ship/deploy/docker/Dockerfile' };

/** By the beginning of the command, without settings before it. */
export const runElsewhere: Readonly<Record<string, RunElsewhere>> = {
  'octroi start': { reason: 'becomes a process', by: 'ship/launch/launch.test.ts' },
  'octroi rehearse': { reason: 'becomes a process', by: 'tests/acceptance/rehearse.test.ts' },
  'npm run rehearse': { reason: 'starts everything', by: 'tests/acceptance/rehearse.test.ts' },
  'octroi portal': becomesProcess,
  'octroi gateway': becomesProcess,
  'octroi products': becomesProcess,
  'octroi transfers settle': heldTransfers,
  'octroi transfers refund': heldTransfers,
  'octroi transfers record': {
    reason: 'needs a bill for a bank transfer',
    by: 'cli/transfers/transfers.test.ts',
    title: 'a transfer to the own account is recorded by command',
  },
  'octroi customers write-off': {
    reason: 'needs a bill whose plan has stopped',
    by: 'cli/customers/terms.test.ts',
    title:
      'terms let a business pay later; when a bill is overdue for too long its plan stops, and goes on at once when it is paid, also after it was written off',
  },
  'octroi customers erase': {
    reason: 'ends the customer of the other commands for good',
    by: 'cli/customers/erase.test.ts',
    title:
      'an erased customer is refused by every gateway at once, only what the law keeps names the customer, and the books are the same',
  },
  'octroi customers forget-member': {
    reason: 'needs a member who was removed',
    by: 'cli/customers/members.test.ts',
    title: 'members are listed, and one who was removed is forgotten by command, with the reason in the customer’s log',
  },
  'octroi customers release': {
    reason: 'needs a customer that was passed on',
    by: 'cli/customers/members.test.ts',
    title: 'whoever passed the own account on and left begins anew once an operator allows it',
  },
  'octroi customers gstin': corrections,
  'octroi documents correct': corrections,
  'octroi backup drill': drill,
  'octroi restore': drill,
  'octroi backup base': {
    reason: 'needs an embedded database whose log is archived',
    by: 'cli/backup/base.test.ts',
    title:
      'a base backup and its log go to a store, encrypted, and are restored from there to a moment, or from a folder',
  },
  'octroi backup schedule': {
    reason: 'runs until it is stopped',
    by: 'cli/backup/schedule.test.ts',
    title: 'the schedule makes the backup of a missed night, and no second one until the next',
  },
  'octroi database roles': {
    reason: 'makes users of the whole database server',
    by: 'cli/database/roles.test.ts',
    title: 'three users are made once, and their addresses are printed once',
  },
  'octroi e-invoices cancel': {
    ...eInvoices,
    title: 'a registration is cancelled within its 24 hours, the invoice issued again, and the customer reads why',
  },
  'octroi e-invoices retry': {
    ...eInvoices,
    title: 'a refused document is listed with its ways out, and registered again after a retry',
  },
  'octroi upgrade cluster': {
    reason: 'needs the programs of an older PostgreSQL',
    by: 'cli/upgrade/cluster.long.ts',
    title: 'a database of an older major version is brought over whole; killed on the way, the old one is what it was',
  },
  'octroi withdraw': {
    reason: 'needs a granted plan',
    by: 'cli/grants/grant.test.ts',
    title: 'a granted plan ends early on every gateway at once, or before it begins; other plans don’t',
  },
  'octroi mandates end': {
    reason: 'needs a mandate',
    by: 'server/features/renewals/renewal-rules.test.ts',
    title:
      'an operator ends a mandate with a reason that its customer reads; it waits for operators until Razorpay has cancelled it',
  },
  'octroi pay-links end': {
    reason: 'needs an activation',
    by: 'cli/pay-links/pay-links.test.ts',
    title:
      'an operator prints a pay link, ends those so far with a reason that the customer reads, and prints a new one',
  },
  'octroi month-end': { reason: 'says by its exit code what is left', by: 'cli/accounts/accounts.test.ts' },
  'octroi accounts lock': { reason: 'needs a month whose work is done', by: 'cli/accounts/accounts.test.ts' },
  'octroi operators remove-passkeys': {
    reason: 'needs somebody with a passkey',
    by: 'server/features/operators/team.test.ts',
  },
  'octroi operators revoke-token': {
    reason: 'needs a token, which the console makes',
    by: 'server/features/operators/tokens.test.ts',
  },
  'octroi seed': { reason: 'fills an empty database', by: 'cli/seed/seed.test.ts' },
  'octroi doctor': { reason: 'looks at a whole running installation', by: 'cli/doctor/doctor.test.ts' },
  'octroi payments recheck': {
    reason: 'needs the account at Razorpay',
    by: 'cli/payments/payments.test.ts',
    title: 'a payment that the portal missed is settled when it is checked again',
  },
  'octroi documents send': {
    reason: 'needs the PDF',
    by: 'cli/documents/documents.test.ts',
    title: 'documents are mailed again to the customer or a named address, and the audit log and the customer know it',
  },
  'octroi journals settle': {
    reason: 'needs a gateway that ran',
    by: 'cli/journals/journals.test.ts',
    title:
      'the journal of a gateway is settled once the gateway is gone, and not before; a folder without one is named',
  },
  'npm start': { reason: 'starts everything', by: 'ship/launch/npm-start.test.ts' },
  'npm test': { reason: 'runs this test', by: 'tests/checks/test.mjs' },
  'npm ci': installs,
  'npm prune': installs,
  'npm run test:nodes': { reason: 'installs other versions of Node', by: 'tests/checks/test-nodes.mjs' },
  'npm run build': { reason: 'builds', by: 'ship/launch/build.test.ts' },
  'npm run demo': { reason: 'starts everything', by: 'ship/demo/start.mjs' },
  'npm run audit': { reason: 'takes a quarter of an hour', by: 'tests/audit/reconcile.test.ts' },
  'npm run check': { reason: 'is a part of npm test', by: 'tests/checks/run-checks.mjs' },
  'npm run schema': { reason: 'starts a database server', by: 'tests/checks/schema.ts' },
  'npm run octroi': { reason: 'is octroi itself', by: 'cli/main.ts' },
  'npm run brand-preview': { reason: 'needs a browser', by: 'tests/e2e/brand-preview.ts' },
  'npm run test:browser': { reason: 'needs a browser', by: 'playwright.config.ts' },
  'npm run test:long': { reason: 'takes an hour', by: 'vitest.long.config.ts' },
  'npm run test:properties': { reason: 'takes minutes', by: 'shared/platform/test-properties.ts' },
  'npm run bench:gateway': { reason: 'takes a quarter of an hour', by: 'tests/bench/gateway/main.ts' },
  'npm run bench:paper': { reason: 'takes minutes', by: 'tests/bench/paper/main.ts' },
  'npm run bench:log': { reason: 'takes some minutes', by: 'tests/bench/log/main.ts' },
  'npm run bench:console -- --write': { reason: 'takes an hour', by: 'tests/bench/console/main.ts' },
  'npm run bench:reference -- --write': { reason: 'takes minutes', by: 'tests/bench/portal/reference.ts' },
  'npm run bench:portal': { reason: 'takes half an hour', by: 'tests/bench/portal/main.ts' },
  'npm run bench:web': { reason: 'installs Lighthouse and takes a quarter of an hour', by: 'tests/e2e/bench-web.ts' },
  'node --v8-options': { reason: 'is Node’s', by: 'gateway/node/v8-flags.ts' },
  'npm run pack': { reason: 'packs everything', by: 'ship/launch/pack.test.ts' },
  tar: { reason: 'needs the archive, whose contents are run', by: 'ship/launch/pack.test.ts' },
  sha256sum: { reason: 'needs the archive', by: 'ship/launch/pack.test.ts' },
  ln: machine,
  cp: machine,
  useradd: machine,
  journalctl: machine,
  certbot: machine,
  'npm sbom': { reason: 'is a part of npm run pack', by: 'ship/launch/pack.mjs' },
  gh: { reason: 'needs a release on GitHub', by: '.github/workflows/release.yaml' },
  systemctl: packages,
  docker: packages,
  kubectl: packages,
};
