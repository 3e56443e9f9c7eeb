import { daysBetween, type Day } from '#shared/domain/day.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { isPin, otherStatesOfPin } from '#shared/domain/pin-states.ts';
import { currentPlaceOfSupply, otherCountriesCode } from '#shared/domain/states.ts';
import type { Fault } from '#products/http/problem.ts';
import {
  isRailReceipt,
  isTransporterId,
  isVehicleNumber,
  railReceiptForms,
  vehicleForms,
} from '#products/invoicing/e-way-bill-forms.ts';
import { type EWayBillRequest, isGoods } from '#products/invoicing/e-way-bill-request.ts';

/** Something that the e-way bill system refuses. */
interface Rule {
  /** Its error code for that; null where it has none. */
  code: string | null;
  message: string;
  /** The fields of our own request that break it. `today` is the day in India. */
  brokenAt: (request: EWayBillRequest, today: Day) => string[];
}

const at = (pointer: string, isBroken: boolean) => (isBroken ? [pointer] : []);
const examplesOf = (forms: readonly { example: string }[]) => forms.map(({ example }) => example).join(', ');

/** The maximum age of a document (advisory of 17 December 2024, from 1 January 2025). */
const oldestDays = 180;
/** The most lines of goods, and the longest way within one PIN. */
const mostLines = 250;
const mostKmInPin = 100;

const pinOf = ({ shipTo, recipient }: EWayBillRequest) => (shipTo?.address ?? recipient.address)?.pin ?? '';
const isInOnePin = (request: EWayBillRequest) => request.supplier.address.pin === pinOf(request);
const destination = ({ shipTo }: EWayBillRequest) => (shipTo === undefined ? '/recipient/address' : '/shipTo/address');

const isState = (stateCode: string) =>
  stateCode !== otherCountriesCode && currentPlaceOfSupply(stateCode)?.code === stateCode;

/** Does the PIN lie in other States only? */
const isElsewhere = (pin: string, stateCode: string | undefined) =>
  stateCode !== undefined && stateCode !== otherCountriesCode && otherStatesOfPin(pin, stateCode) !== undefined;

function stateOf(gstin: string | undefined): string | undefined {
  const parsed = parseGstin(gstin ?? '');
  return parsed.valid ? parsed.stateCode : undefined;
}

/** Everything that the e-way bill system refuses and a request shows: the codes are those of its published list. */
export const eWayBillRules: readonly Rule[] = [
  {
    code: '724',
    message: 'Services need no e-way bill; none of the items is goods.',
    brokenAt: ({ items }) => at('/items', !items.some(isGoods)),
  },
  {
    code: null,
    message: `An e-way bill has at most ${mostLines} lines of goods; add up lines with the same HSN code.`,
    brokenAt: ({ items }) => at('/items', items.filter(isGoods).length > mostLines),
  },
  {
    code: '204',
    message: 'E-way bills are for invoices; a note has none.',
    brokenAt: ({ document }) => at('/document/type', document.type !== 'INV'),
  },
  {
    code: '820',
    message: `The document is older than ${oldestDays} days.`,
    brokenAt: ({ document }, today) => at('/document/date', daysBetween(document.date, today) > oldestDays),
  },
  {
    code: '231',
    message: 'The portal requires the name of the recipient.',
    brokenAt: ({ recipient }) => at('/recipient/name', recipient.name === undefined),
  },
  {
    code: '372',
    message: 'The goods of an export travel to a port or customs station in India; enter it as shipTo.',
    brokenAt: ({ recipient, shipTo }) => at('/shipTo', recipient.overseas && shipTo === undefined),
  },
  {
    code: '213',
    message: 'The portal requires the destination of the goods.',
    brokenAt: ({ recipient, shipTo }) =>
      at('/recipient/address', !recipient.overseas && (shipTo?.address ?? recipient.address) === undefined),
  },
  {
    code: '214',
    message: 'The destination must be a PIN in India.',
    brokenAt: (request) => {
      const { recipient, shipTo } = request;
      const hasAddress = shipTo !== undefined || (!recipient.overseas && recipient.address !== undefined);
      return at(`${destination(request)}/pin`, hasAddress && !isPin(pinOf(request)));
    },
  },
  {
    code: '857',
    message: 'This is not the code of a State in India today.',
    brokenAt: ({ shipTo }) => at('/shipTo/stateCode', shipTo !== undefined && !isState(shipTo.stateCode)),
  },
  {
    code: '858',
    message: 'The PIN of the destination lies in another State than its stateCode says.',
    brokenAt: ({ shipTo }) => at('/shipTo/address/pin', isElsewhere(shipTo?.address.pin ?? '', shipTo?.stateCode)),
  },
  {
    code: '710',
    message: 'The PIN lies in another State than this party.',
    brokenAt: ({ supplier, recipient, shipTo }) => [
      ...at('/supplier/address/pin', isElsewhere(supplier.address.pin, stateOf(supplier.gstin))),
      ...at(
        '/recipient/address/pin',
        shipTo === undefined &&
          isElsewhere(recipient.address?.pin ?? '', stateOf(recipient.gstin) ?? recipient.stateCode),
      ),
    ],
  },
  {
    code: '609',
    message: 'This is not a valid GSTIN. Leave it out if who receives the goods is not registered.',
    brokenAt: ({ shipTo }) => at('/shipTo/gstin', shipTo?.gstin !== undefined && !parseGstin(shipTo.gstin).valid),
  },
  {
    code: '618',
    message: 'The goods go to the recipient itself; leave the GSTIN out.',
    brokenAt: ({ recipient, shipTo }) =>
      at(
        '/shipTo/gstin',
        shipTo?.gstin !== undefined &&
          recipient.gstin !== undefined &&
          parseGstin(shipTo.gstin).gstin === parseGstin(recipient.gstin).gstin,
      ),
  },
  {
    code: '721',
    message: 'Within one PIN the portal computes no distance; enter 1 to 100 km.',
    brokenAt: (request) => at('/transport/distanceKm', isInOnePin(request) && request.transport.distanceKm === 0),
  },
  {
    code: '702',
    message: `Within one PIN the distance is at most ${mostKmInPin} km.`,
    brokenAt: (request) =>
      at('/transport/distanceKm', isInOnePin(request) && request.transport.distanceKm > mostKmInPin),
  },
  {
    code: '619',
    message: 'By road, enter the vehicle, or the transporter who will add it.',
    brokenAt: ({ transport: { mode, vehicleNumber, transporterId } }) =>
      at('/transport/vehicleNumber', mode === 'road' && vehicleNumber === undefined && transporterId === undefined),
  },
  {
    code: '225',
    message: `The vehicle number has none of the portal's forms (${examplesOf(vehicleForms)}); write DL01AB0123 for DL 1 AB 123.`,
    brokenAt: ({ transport: { vehicleNumber } }) =>
      at('/transport/vehicleNumber', vehicleNumber !== undefined && !isVehicleNumber(vehicleNumber)),
  },
  {
    code: '634',
    message: 'Only cargo by road can be over-dimensional.',
    brokenAt: ({ transport: { mode, overDimensional } }) =>
      at('/transport/overDimensional', overDimensional && (mode === 'rail' || mode === 'air')),
  },
  {
    code: '222',
    message: 'The GSTIN or TRANSIN of the transporter has 15 characters, of which the last one checks the others.',
    brokenAt: ({ transport: { transporterId } }) =>
      at('/transport/transporterId', transporterId !== undefined && !isTransporterId(transporterId)),
  },
  {
    code: '385',
    message: 'By rail, air or ship, enter number and date of the transport document.',
    brokenAt: ({ transport: { mode, documentNumber, documentDate } }) =>
      mode === 'road'
        ? []
        : [
            ...at('/transport/documentNumber', documentNumber === undefined),
            ...at('/transport/documentDate', documentDate === undefined),
          ],
  },
  {
    code: '223',
    message: 'The number of a transport document has letters, digits, - and / only.',
    brokenAt: ({ transport: { documentNumber } }) =>
      at('/transport/documentNumber', documentNumber !== undefined && !/^[A-Za-z0-9/-]+$/.test(documentNumber)),
  },
  {
    code: '823',
    message: `The rail receipt has none of the portal's forms: P, station code and 10 digits for a parcel, F, station code and 9 digits for freight, L and 9 digits for a leased wagon (${examplesOf(railReceiptForms)}).`,
    brokenAt: ({ transport: { mode, documentNumber } }) =>
      at(
        '/transport/documentNumber',
        mode === 'rail' && documentNumber !== undefined && !isRailReceipt(documentNumber),
      ),
  },
  {
    code: '362',
    message: 'The transport document cannot be older than the invoice.',
    brokenAt: ({ document, transport: { documentDate } }) =>
      at('/transport/documentDate', documentDate !== undefined && documentDate < document.date),
  },
];

/** What the portal would reject, by field of our own request. `today` is the day in India. */
export function eWayBillFaults(request: EWayBillRequest, today: Day): Fault[] {
  return eWayBillRules.flatMap(({ code, message, brokenAt }) =>
    brokenAt(request, today).map((pointer) => ({
      in: 'body',
      pointer,
      message,
      ...(code !== null && { portalCode: code }),
    })),
  );
}

/** The rules as a table of the reference. */
export const eWayBillRefusals = [
  '| portalCode | refused with 422 |',
  '| --- | --- |',
  ...eWayBillRules.map(({ code, message }) => `| ${code ?? 'none'} | ${message} |`),
].join('\n');
