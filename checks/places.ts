/** A room in docs/house.md. */
interface RoomWords {
  what: string;
  lookFor: string;
}

/** Every room. */
export const roomWords: Readonly<Record<string, RoomWords>> = {
  acceptance: {
    what: 'tests of the whole: live responses against the documents of our APIs, public documents of others',
    lookFor: 'is what customers read true?',
  },
  audit: {
    what: '`npm run audit`: stories of customers, played against a running portal; every book must agree to the paisa',
    lookFor: 'do portal, ledger, Razorpay and GSTR-1 agree?',
  },
  bench: {
    what: 'benchmarks of the gateway, the PDFs and the portal',
    lookFor: 'how fast it is, and how that is measured',
  },
  catalog: { what: 'the products for sale: a YAML file per product', lookFor: 'prices, quotas, texts of a product' },
  checks: { what: "`npm test`, and the project's own rules as programs", lookFor: 'a failed check' },
  cli: {
    what: 'the `octroi` command: `main` lists its commands, one folder per noun',
    lookFor: 'what an operator can do from a terminal',
  },
  contract: {
    what: 'the API shared by web and server, one file per noun',
    lookFor: 'the path, body, reply and refusals of a call',
  },
  database: {
    what: 'migrations, their result (`schema.sql`), connection, embedded PostgreSQL',
    lookFor: 'tables, constraints, triggers',
  },
  demo: {
    what: '`npm run demo`: a year of customers, created through the real calls with a moved clock',
    lookFor: 'a portal with history',
  },
  domain: {
    what: 'pure rules: money, tax, days, cycles, quota, keys; no I/O, time is an argument',
    lookFor: 'how a number is computed',
  },
  e2e: { what: 'what a customer can do, in a real browser', lookFor: 'the main customer flows' },
  backup: {
    what: 'one consistent backup of everything durable, and its restore ([decision 43](decisions/043-backups.md))',
    lookFor: 'what is in a backup',
  },
  gateway: { what: 'the hot path: admit, forward, meter', lookFor: 'why a call was refused or counted' },
  launch: { what: '`npm start`', lookFor: 'install, build, start, stop' },
  paper: {
    what: 'Typst templates, and the worker processes that turn them into PDFs ([decision 22](decisions/022-pdf-workers.md))',
    lookFor: 'the look of an invoice, limits on rendering',
  },
  platform: {
    what: 'settings, log, clock, fair queue, process lifecycle; knows nothing of the product',
    lookFor: 'how a process starts and stops',
  },
  products: { what: 'the two APIs; they know nothing of the portal', lookFor: 'the responses of an API' },
  server: {
    what: 'the portal: `main` starts it, `app` lists its features in `features/<noun>`',
    lookFor: 'what a call does',
  },
  standins: {
    what: 'local replacements of Google, Razorpay and the GST systems',
    lookFor: 'accounts, test cards, simulated failures',
  },
  web: { what: 'the pages: `features/<noun>` and what they share', lookFor: 'what a customer sees' },
};

/** Every folder of a room. */
export const folderWords: Readonly<Record<string, string>> = {
  'audit/books': 'what each book says, read without the code that wrote it',
  'audit/scenarios': 'the stories, and the books that each must end with',
  'audit/steps': 'what customers, banks and operators do in a story',
  'audit/sums': 'the audit’s own arithmetic of taxes and returns',
  'audit/world': 'a portal with its stand-ins and database, for one story',
  'bench/gateway': 'latency, throughput and exactness compared with other gateways ([performance.md](performance.md))',
  'bench/paper': 'speed and memory of PDFs',
  'bench/portal': 'the portal with many customers',
  'cli/backup': 'backup, restore, and the drill that proves a backup',
  'cli/catalog': 'products for sale: import, check, compare, apply; every version',
  'cli/tds': 'tax that customers deducted at source: list, accept, refuse',
  'database/migrations': 'the SQL files, in order; never edited after a release',
  'gateway/access':
    'authentication: looks keys up, caches them, drops them when access changes; caps and limits per second',
  'gateway/calls': 'one call from its route to its record; own endpoints (usage, OpenAPI), CORS',
  'gateway/http': 'the HTTP server: request queue and overload, headers, paths, refusals, responses',
  'gateway/journal': 'the file of counted calls, and how they reach the database',
  'gateway/metrics': 'calls, refusals and queues as numbers for a monitoring system',
  'gateway/node':
    'everything that Node and undici do not document: one file each, checked at the start, with a documented fallback',
  'gateway/quota': 'leases, counting, recall from other gateways, rate-limit headers',
  'gateway/request-log': 'the outcome of each call, in batches',
  'gateway/test': 'the test harness (a gateway with a real database and upstream), and the long randomised tests',
  'gateway/upstream': 'connections to products, forwarding, in-process products',
  'products/gsp': 'the client of a GST Suvidha Provider',
  'products/http': 'the server of a product: problems, reference, headers from the gateway, calls to upstream systems',
  'products/idempotency': '`Idempotency-Key`: stored responses and their replay',
  'products/invoicing': 'the GST Invoicing API: computing, PDF, e-invoices, e-way bills, numbers',
  'products/migrations': 'the SQL files of the schema `products`, in order',
  'products/sandbox': 'sample data for test keys: GSTINs with known outcomes, PINs, rates',
  'products/store': 'assigned numbers, registrations of test keys',
  'products/tax-lookup': 'the GST Tax Lookup API: GSTINs, HSN and SAC rates, States, PINs',
  'server/auth': 'sign-in with Google, sessions and sign-out',
  'server/crypto': 'ids, hashes, signatures, the secret of the installation',
  'server/e-invoice': 'the invoice registration portal and the search of taxpayers, through a GSP',
  'server/features': 'what customers do, a folder per noun: see the nouns above',
  'server/http': 'the HTTP server, `handle` (session, validation, limits), live streams, files, the built pages',
  'server/jobs': 'the queue of jobs, written in the transaction of their cause; attempts and back-off',
  'server/metrics': 'the portal as numbers for a monitoring system',
  'server/money-tests': 'money under attack: races, lost responses, disputes, random histories',
  'server/product-images': 'icons and pictures of products, from the catalogue',
  'server/operator': 'what operators do, each with its reason in the audit log; commands call it',
  'server/outbound': 'requests to addresses entered by customers; never to a private network',
  'server/razorpay': 'the client of Razorpay',
  'server/refusals': '`refuse`, and constraints of the database as refusals',
  'server/retention': 'how long each table keeps its rows, and their deletion',
  'server/rounds': 'repeated work that runs in one process at a time; customers changed since the last round',
  'server/signature':
    'the digital signature of documents: the certificate, PAdES, and the warning before the certificate ends',
  'server/smtp': 'the mail server',
  'standins/browser': 'pages of the stand-ins: sign-in, checkout, the control panel',
  'standins/google': 'Google sign-in',
  'standins/gstn': 'the GST portal and the invoice registration portal, through a GSP',
  'standins/razorpay': 'Razorpay: orders, payments, refunds, disputes, webhooks',
  'web/api': 'the typed client: calls, live events, failures, downloads',
  'web/features': 'the pages, a folder per noun: see the nouns above',
  'web/forms': 'forms of calls: validated by the contract, server errors at their fields, unsaved input guarded',
  'web/language': 'English and Hindi, and when each is loaded',
  'web/session': 'the session token of all tabs',
  'web/shell': 'the frame of all pages: header, crumbs, palette, sign-in guard, not found, offline',
  'web/states': 'names of the States in the language of the page',
  'web/vite': 'plug-ins of the build',
  'web/ui': 'components without a feature: tables, dialogs, badges, meters, money, days, theme',
};

/** Every noun of the product: its folder in server/features and web/features, and its file in contract/. */
export const nounWords: Readonly<Record<string, string>> = {
  account: 'sign-in and out, the business profile, GSTIN',
  accountants: 'the accountants of customers: asked to confirm, then mailed the papers of each month',
  activations: 'activate and delete a product; the dashboard, My Plan',
  'api-keys': 'make, change, rotate and revoke keys; caps, expiry, allowed addresses',
  bookkeeping: 'the books: vouchers, trial balance, GSTR-3B figures, files for Tally; they follow from the other nouns',
  clock: 'move the time while stand-ins are in use',
  cycles: 'buy, prepay and end plans; status and dates of a subscription',
  documents: 'invoices, vouchers and credit notes: numbers, tax, e-invoices, PDF, corrections, GSTR-1',
  events: 'publishes each event that customers are notified of, once, in the transaction of its cause',
  invoices: 'the billing history, the download of an invoice',
  ledger: 'every rupee in double entry, and the invariants that are verified',
  mail: 'every mail: receipts, failures, reminders (expiry, quota)',
  marketplace: 'products and plans to choose from',
  'month-pack': 'the papers of a month as one ZIP, for the customer and for the provider',
  outbox: 'every mail as a page, in development only',
  ownership: 'checks that an activation belongs to the caller, and locks it',
  payments: "orders, Razorpay's checkout and webhooks, settling, late and double payments, disputes",
  'period-locks': 'locks and unlocks months of the books; no document is dated into a locked one',
  reference: 'the documentation of a product, and calls to try',
  refunds: 'refunds and their attempts, until the provider confirms them',
  'request-log': 'the outcome of each call: search, live, CSV',
  'sez-checks': 'what the GST portal says of a GSTIN that claims to belong to an SEZ, kept as evidence',
  settlements: "Razorpay's transfers to the bank account: read daily, booked, compared with the payments",
  support: 'messages to support',
  'tax-claims': 'declarations of SEZs and buyers abroad, with their letters',
  tds: 'tax that customers deducted at source: their claims with certificates, and the operator’s decisions',
  'timed-events': 'events caused by time alone: starts, ends, reminders, quota thresholds',
  usage: 'calls counted by day, key and cycle; quotas, reports',
  webhooks: "customers' webhooks: endpoints, deliveries, attempts, secrets",
};
