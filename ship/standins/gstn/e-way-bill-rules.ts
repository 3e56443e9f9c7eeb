import { z } from 'zod';
import type { PortalError } from '#ship/standins/gstn/invoice-rules.ts';
import { taxpayers } from '#ship/standins/gstn/taxpayers.ts';

const text = z.string();
const state = z.int().min(1).max(99);
const pin = z.int();

/** The part of GENEWAYBILL that is checked. */
export const eWayBill = z.looseObject({
  userGstin: text,
  fromGstin: text,
  fromPincode: pin,
  fromStateCode: state,
  toGstin: text,
  toTrdName: text,
  toAddr1: text,
  toPincode: pin.nullable(),
  toStateCode: state,
  actToStateCode: state,
  transactionType: z.int().min(1).max(4),
  docDate: text,
  shipToGSTIN: text.optional(),
  shipToTradeName: text.optional(),
  transMode: text,
  transDistance: text,
  transporterId: text,
  transDocNo: text.max(15),
  transDocDate: text,
  vehicleNo: text,
  vehicleType: z.enum(['R', 'O']),
  itemList: z
    .array(z.looseObject({ hsnCode: z.int() }))
    .min(1)
    .max(250),
});

type EWayBill = z.output<typeof eWayBill>;

const zoneTypes = new Set<unknown>(['SEZ Unit', 'SEZ Developer']);

/** Codes of "Other Countries". */
const abroad = new Set([96, 99]);
const states = new Set(
  [...Array.from({ length: 38 }, (_, index) => index + 1), 97].filter((code) => code !== 25 && code !== 28),
);

/** The States of PINs, by their first two digits. */
const circles = new Map(
  '11:7 12:6 13:6 14:3 15:3 16:4,3 17:2 18:1 19:1,38 36:24 37:24 38:24 39:24,26 40:27,30 41:27 42:27 43:27 44:27 50:36 51:37 52:37 53:37 56:29 57:29 58:29 59:29 60:33,34 61:33 62:33 63:33 64:33'
    .split(' ')
    .map((circle) => circle.split(':'))
    .map(([digits, codes = '']) => [digits, codes.split(',').map(Number)] as const),
);
const isIn = (pinCode: number | null, code: number) =>
  circles.get(String(pinCode).slice(0, 2))?.includes(code) !== false || code === 97;

/** The portal's master list of vehicle numbers: a letter stands for any letter, a digit for any digit. */
const masks = ['AB121234', 'AB12A1234', 'AB12AB1234', 'AB123A1234', 'AB12ABC1234'].map(
  (mask) => new RegExp(`^${mask.replaceAll(/[A-Z]/g, '[A-Z]').replaceAll(/\d/g, '\\d')}$`),
);
const plates = new Set(
  'AN AP AR AS BR CG CH DD DL DN GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD OR PB PY RJ SK TG TN TR TS UA UK UP WB'.split(
    ' ',
  ),
);
const isVehicle = (number: string) =>
  (masks.some((mask) => mask.test(number)) && plates.has(number.slice(0, 2))) ||
  /^[A-Z]{3}\d{4}$/.test(number) ||
  /^(?:DF|TM|TR|BP|NP)[A-Z0-9]{5,13}$/.test(number);

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function hasCheckCharacter(id: string): boolean {
  if (!/^\d{2}[0-9A-Z]{13}$/.test(id)) return false;
  const sum = Array.from(id.slice(0, 14), (character, index) => digits.indexOf(character) * (1 + (index % 2)))
    .map((product) => Math.trunc(product / 36) + (product % 36))
    .reduce((one, other) => one + other);
  return digits.charAt((36 - (sum % 36)) % 36) === id.charAt(14);
}

const inOrder = (day: string) => day.split('/').toReversed().join('-');

/** The errors that the e-way bill system reports, with its own codes and texts. */
export function eWayBillErrors(bill: EWayBill, caller: string): PortalError[] {
  const errors: PortalError[] = [];
  const refuseIf = (isWrong: boolean, code: string, message: string) =>
    void (isWrong && errors.push({ code, message }));
  const { transactionType, toStateCode, actToStateCode, toPincode, transMode, transDocNo, vehicleNo } = bill;
  const isShippedElsewhere = transactionType === 2 || transactionType === 4;
  const isZone = zoneTypes.has(taxpayers.get(bill.toGstin)?.['dty']);

  refuseIf(bill.fromGstin !== caller, '359', 'User GSTIN should match to GSTIN(from) for outward transactions');
  refuseIf(
    bill.itemList.every(({ hsnCode }) => String(hsnCode).startsWith('99')),
    '724',
    'HSN code of at least one item should be of goods to generate e-Way Bill',
  );
  refuseIf(bill.toTrdName === '', '231', 'Consignee name is required');
  refuseIf(bill.toAddr1 === '', '213', 'Invalid Consignee Address');
  refuseIf(toPincode === null || toPincode < 100_000 || toPincode > 999_999, '214', 'Invalid Consignee PIN Code');
  if (isShippedElsewhere) {
    refuseIf(!states.has(actToStateCode), '857', 'SHIP TO - state code is not valid statecode');
    refuseIf(!isIn(toPincode, actToStateCode), '858', 'SHIP TO - PIN code must belong to the ActToStateCode');
    refuseIf(!bill.shipToGSTIN, '608', 'ship to gstin is mandatory');
    refuseIf(
      bill.shipToGSTIN !== undefined && bill.shipToGSTIN !== 'URP' && !hasCheckCharacter(bill.shipToGSTIN),
      '609',
      'invalid ship to gstin',
    );
    refuseIf(
      bill.shipToGSTIN === bill.toGstin && bill.toGstin !== 'URP',
      '618',
      'Bill-to and ship-to gstin should not be same',
    );
    refuseIf(!bill.shipToTradeName, '863', 'Ship to tradename is mandatory');
  } else {
    refuseIf(!states.has(actToStateCode), '372', 'Invalid or Blank Consignee Ship-to State Code');
    refuseIf(!isIn(toPincode, actToStateCode), '710', 'Invalid state code for the given pincode');
    refuseIf(
      !isZone && toStateCode !== actToStateCode,
      '644',
      'Bill to state code and Ship to state code should be same',
    );
  }
  refuseIf(
    isZone && !abroad.has(toStateCode),
    '641',
    'Bill To state should be as Other Country, since the Bill To GSTIN given is of SEZ unit',
  );
  refuseIf(!isIn(bill.fromPincode, bill.fromStateCode), '710', 'Invalid state code for the given pincode');
  if (bill.fromPincode === toPincode) {
    const distance = Number(bill.transDistance);
    refuseIf(distance === 0, '721', 'The distance between the given pincodes are not available in the system');
    refuseIf(distance > 100, '702', 'The distance between the pincodes given is too high');
  }
  refuseIf(bill.transporterId !== '' && !hasCheckCharacter(bill.transporterId), '222', 'Invalid Transporter Id');
  refuseIf(vehicleNo !== '' && !isVehicle(vehicleNo), '225', 'Invalid Vehicle Number Format');
  refuseIf(
    transMode === '1' && vehicleNo === '' && bill.transporterId === '',
    '619',
    'Transporter Id is mandatory for generation of Part A slip',
  );
  refuseIf(
    transMode !== '1' && (transDocNo === '' || bill.transDocDate === ''),
    '385',
    'For Rail/Ship/Air transDocNo and transDocDate is mandatory',
  );
  refuseIf(!/^[A-Za-z0-9/-]*$/.test(transDocNo), '223', 'Invalid Transaction Document Number');
  refuseIf(
    transMode === '2' && transDocNo !== '' && !/^(?:P[A-Z]+\d{4}-?\d{6}|F[A-Z]+\d{9}|L\d{9})$/.test(transDocNo),
    '823',
    'Invalid transdoc number format for railway',
  );
  refuseIf(
    bill.transDocDate !== '' && inOrder(bill.transDocDate) < inOrder(bill.docDate),
    '362',
    'Transporter document date cannot be earlier than the invoice date',
  );
  refuseIf(
    bill.vehicleType === 'O' && /^[23]$/.test(transMode),
    '634',
    'Vehicle type should not be ODC when transmode is other than road',
  );
  refuseIf(
    bill.vehicleType === 'R' && transMode === '4',
    '726',
    'Vehicle type can not be regular when transportation mode is ship',
  );
  return errors;
}
