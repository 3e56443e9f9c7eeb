import type { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { standinAccounts } from '#shared/platform/production-rules.ts';
import {
  aboutSetting,
  type ConfigSource,
  envName,
  readConfig,
  readSoundSettings,
} from '#shared/platform/read-config.ts';
import { eInvoiceFaults, portalSettings } from './config.ts';
import { type DocumentPlaceSettings, readDocumentPlaceSettings } from './document-files/settings.ts';
import { retentionSettings } from './retention/retention-settings.ts';
import { type GivenSettings, readPortals, readRunningPortals } from './running-portals.ts';

/** The account for e-invoices; undefined when not set up: the law requires them above ₹5 crore of turnover. */
export function eInvoiceAccountOf(settings: DocumentSettings) {
  const { eInvoiceUser: user, eInvoicePassword: password, gspUrl: url, supplierGstin: gstin } = settings;
  const { gspClientId: clientId, gspClientSecret: clientSecret, eInvoiceEarlierLogins: earlierLogins } = settings;
  if (!user || !password || !url || !clientId || !clientSecret) return undefined;
  return { url, clientId, clientSecret, user, password, gstin, earlierLogins };
}

/** The settings that documents, and the mails about them, depend on. */
const documentSettings = portalSettings.pick({
  portalUrl: true,
  catalogDir: true,
  brandDir: true,
  publicPages: true,
  providerName: true,
  supportEmail: true,
  supportReplyAddress: true,
  supplierName: true,
  supplierGstin: true,
  supplierAddress: true,
  supplierCity: true,
  supplierPin: true,
  supplierUdyam: true,
  supplierCin: true,
  supplierEmail: true,
  supplierPhone: true,
  supportPhone: true,
  invoicePrefix: true,
  lettersOfUndertaking: true,
  lastNoteDay: true,
  gspUrl: true,
  gspClientId: true,
  gspClientSecret: true,
  eInvoiceThirtyDays: true,
  eInvoiceUser: true,
  eInvoicePassword: true,
  eInvoiceEarlierLogins: true,
});
export type DocumentSettings = z.output<typeof documentSettings>;

export function readDocumentSettings(source: ConfigSource): DocumentSettings {
  return readConfig(documentSettings, source, eInvoiceFaults);
}

/** Folders, which each process and each machine has in its own place. What they hold does not decide papers. */
const ownFolders: ReadonlySet<string> = new Set(['catalogDir', 'brandDir'] satisfies (keyof DocumentSettings)[]);

type Env = Record<string, string | undefined>;

const comparable = (setting: string, field: z.core.$ZodType) => ({
  setting,
  name: envName(setting),
  isSecret: aboutSetting(field).secret,
});

const compared = Object.entries(documentSettings.shape)
  .filter(([setting]) => !ownFolders.has(setting))
  .map(([setting, field]) => comparable(setting, field));

const { documentsPlace: placeField } = portalSettings.shape;
/** Compared only by commands that read or move PDFs. */
const place = comparable('documentsPlace' satisfies keyof DocumentPlaceSettings, placeField);

/** Rules that each portal applies by itself: the laxest one would decide alone. Commands don't depend on them. */
const ownRules = portalSettings
  .pick({
    operatorApprovalRupees: true,
    operatorSeeAs: true,
    mailFrom: true,
    accountantEmail: true,
    settlementDays: true,
    renewals: true,
    bankTransfers: true,
  })
  .extend(retentionSettings);

const ofDocuments = [...compared, place];
const ofPortals = [
  ...ofDocuments,
  ...Object.entries(ownRules.shape).map(([setting, field]) => comparable(setting, field)),
];

const published: ReadonlySet<string> = new Set(Object.values(standinAccounts));

/** The settings in which portals must not differ, as they are given to this one: the text, or of a secret only that it is set. */
export function givenToPortal(env: Env): GivenSettings {
  const given: GivenSettings = {};
  for (const { name, isSecret } of ofPortals) {
    const text = env[name];
    if (text) given[name] = isSecret && !published.has(text) ? true : text;
  }
  return given;
}

/** The names of the settings in which two portals differ. */
export function differingSettings(one: GivenSettings, other: GivenSettings, among = ofPortals): string[] {
  const [here, there] = [one, other].map(read);
  return among.flatMap(({ setting, name, isSecret }) => {
    const isSame = isSecret
      ? one[name] === other[name]
      : JSON.stringify(here?.get(setting)) === JSON.stringify(there?.get(setting));
    return isSame ? [] : [name];
  });
}

/** As they take effect: what is not given has its default. */
function read(given: GivenSettings): Map<string, unknown> {
  const env: Env = {};
  for (const [name, text] of Object.entries(given)) if (text !== true) env[name] = text;
  return new Map(Object.entries(readSoundSettings(readable, { env })));
}

const readable = documentSettings.extend({ documentsPlace: placeField, ...ownRules.shape });

/** The least that one person may not decide alone in any running portal, `own` and those of the others; 0 if none has a limit. */
export async function strictestApprovalRupees(db: Db, own: number): Promise<number> {
  const portals = await readRunningPortals(db);
  const theirs = portals.map(({ given }) => Number(read(given).get('operatorApprovalRupees')));
  const limits = [own, ...theirs].filter((limit) => limit > 0);
  return limits.length === 0 ? 0 : Math.min(...limits);
}

/** Whether the invoice portal takes a document only within thirty days, as the newest portal was told. */
export async function readThirtyDays(db: Db): Promise<boolean> {
  const [newest] = await readPortals(db);
  return read(newest?.given ?? {}).get('eInvoiceThirtyDays') === true;
}

/** The address of the portal, as the newest one was told. */
export async function readPortalUrl(db: Db): Promise<string> {
  const [newest] = await readPortals(db);
  return String(read(newest?.given ?? {}).get('portalUrl'));
}

/** What a command is compared with; undefined before the first portal has started. Throws while portals have different ones. */
async function settingsOfPortals(db: Db): Promise<{ given: GivenSettings } | undefined> {
  const portals = await readPortals(db);
  const [newest] = portals;
  if (newest === undefined) return undefined;
  refuseFor(
    portals.flatMap(({ name, given }) =>
      differingSettings(newest.given, given, ofDocuments).map(
        (setting) => `${setting} is another one for the portal ${name} than for the portal ${newest.name}.`,
      ),
    ),
  );
  return newest;
}

/**
 * The settings of the portal, for a command that issues documents: what the command isn't given is as the portal has it. Throws for what is
 * given otherwise, and for a secret that only one of the two has: its documents would have another prefix, or no registration.
 */
export async function readSettingsOfPortal(db: Db, env: Env): Promise<DocumentSettings> {
  const portal = await settingsOfPortals(db);
  // No portal has started yet, and there is nothing to compare with.
  if (portal === undefined) return readDocumentSettings({ env });
  const wanted: Env = { ...env };
  const faults: string[] = [];
  for (const { name, isSecret } of compared) {
    const given = portal.given[name];
    if (given === true ? !env[name] : isSecret && given === undefined && env[name])
      faults.push(
        given === true
          ? `${name} is set for the portal and not for this command.`
          : `${name} is set for this command and not for the portal.`,
      );
    if (given !== true) wanted[name] = given;
  }
  refuseFor(faults);
  const settings = readDocumentSettings({ env: wanted });
  const own = readDocumentSettings({ env: { ...wanted, ...nonEmpty(env) } });
  for (const { setting, name, isSecret } of compared) {
    const [here, there] = [own, settings].map((each) => new Map(Object.entries(each)).get(setting));
    if (JSON.stringify(here) === JSON.stringify(there)) continue;
    faults.push(
      isSecret
        ? `${name} is another one for this command than for the portal.`
        : `${name} is ${JSON.stringify(here)} for this command, and ${JSON.stringify(there) ?? 'not set'} for the portal.`,
    );
  }
  refuseFor(faults);
  return settings;
}

/**
 * Where PDFs lie, for a command that reads or moves them: as for the portal, unless the command is given another place. A PDF is read from where its row
 * says, so that place only has to be the portal's for a command that moves them.
 * @throws when `moves` and the portal would go on to write to another place
 */
export async function readPlaceOfPortal(
  db: Db,
  env: Env,
  { moves }: { moves: boolean },
): Promise<DocumentPlaceSettings> {
  const portal = await settingsOfPortals(db);
  const given = portal?.given[place.name];
  const there = typeof given === 'string' ? given : undefined;
  const settings = readDocumentPlaceSettings({ env: { ...env, [place.name]: env[place.name] || there } });
  if (!moves || portal === undefined) return settings;
  const { documentsPlace } = readDocumentPlaceSettings({ env: { ...env, [place.name]: there } });
  if (settings.documentsPlace !== documentsPlace)
    throw new Error(
      `${place.name} is ${settings.documentsPlace} for this command, and ${documentsPlace} for the portal, which would go on to write there. Give both the same, and start the portal again after a change.`,
    );
  return settings;
}

function refuseFor(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const remedy =
    'Documents would differ: give the command and every portal the same settings, and start the portals again after a change.';
  throw new Error([...faults, remedy].join('\n'));
}

const nonEmpty = (env: Env): Env => Object.fromEntries(Object.entries(env).filter(([, text]) => text));
