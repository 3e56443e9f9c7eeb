/** A taxpayer as returned by the GST portal's public search (action TP), quirks included. All of them are fictional. */
type Taxpayer = Record<string, unknown> & { gstin: string; sts: string; lgnm: string; tradeNam: string | null };

interface Sample {
  gstin: string;
  name: string;
  trade?: string | null;
  sts?: string;
  dty?: string;
  ctb?: string;
  cxdt?: string | null;
  state: string;
  stateCode: string;
  city: string;
  pin: string;
  eInvoice?: string;
  nba?: string[];
}

const samples: Sample[] = [
  {
    gstin: '27ZZZCA0001A1Z4',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    trade: 'ZENITH SAMPLE',
    state: 'Maharashtra',
    stateCode: 'MH',
    city: 'Mumbai Suburban',
    pin: '400053',
    eInvoice: 'Yes',
  },
  {
    gstin: '29ZZZCA0001A1Z0',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    trade: 'NA',
    state: 'Karnataka',
    stateCode: 'KA',
    city: 'Bengaluru Urban',
    pin: '560001',
    eInvoice: 'Yes',
  },
  {
    gstin: '26ZZZCA0001A1Z6',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    trade: '',
    state: 'Dadra and Nagar Haveli and Daman and Diu',
    stateCode: 'DD',
    city: 'Daman',
    pin: '396210',
  },
  {
    gstin: '97ZZZCA0001A1ZX',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    trade: null,
    state: 'Other Territory',
    stateCode: 'OT',
    city: '',
    pin: '',
  },
  {
    gstin: '07ZZZCA0001A1Z6',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    sts: 'Cancelled suo-moto',
    cxdt: '31/03/2025',
    state: 'Delhi',
    stateCode: 'DL',
    city: 'New Delhi',
    pin: '110001',
  },
  {
    gstin: '33ZZZCA0001A1ZB',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    sts: 'Suspended',
    state: 'Tamil Nadu',
    stateCode: 'TN',
    city: 'Chennai',
    pin: '600001',
  },
  {
    gstin: '27ZZZPA0002B1ZA',
    name: 'ASHA SAMPLE',
    trade: 'ASHA TRADERS',
    dty: 'Composition',
    ctb: 'Proprietorship',
    state: 'Maharashtra',
    stateCode: 'MH',
    city: 'Pune',
    pin: '411001',
    nba: ['Retail Business'],
  },
  {
    gstin: '27ZZZFA0003C2ZR',
    name: 'SAMPLE AND SONS LLP',
    dty: 'SEZ Unit',
    ctb: 'Limited Liability Partnership',
    state: 'Maharashtra',
    stateCode: 'MH',
    city: 'Mumbai',
    pin: '400096',
    eInvoice: 'Yes',
  },
  {
    gstin: '29ZZZCA0001A2ZZ',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    dty: 'SEZ Developer',
    state: 'Karnataka',
    stateCode: 'KA',
    city: 'Bengaluru Urban',
    pin: '560001',
    eInvoice: 'Yes',
  },
  {
    gstin: '27ZZZCA0001A1CF',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    dty: 'Tax Collector (Electronic Commerce Operator)',
    state: 'Maharashtra',
    stateCode: 'MH',
    city: 'Mumbai Suburban',
    pin: '400053',
  },
  {
    gstin: '27ZZZCA0001A1DD',
    name: 'ZENITH SAMPLE PRIVATE LIMITED',
    dty: 'Tax Deductor',
    state: 'Maharashtra',
    stateCode: 'MH',
    city: 'Mumbai Suburban',
    pin: '400053',
  },
];

/** Numbers whose search always fails in a fixed way, whatever behaviour is set. */
export const troubled: Readonly<Record<string, 'down' | 'slow' | 'unreadable' | 'error-500'>> = {
  '24ZZZCA0001A1ZA': 'down',
  '06ZZZCA0001A1Z8': 'slow',
  '09ZZZCA0001A1Z2': 'unreadable',
  '19ZZZCA0001A1Z1': 'error-500',
};

/** The taxpayers known to the stand-in. Any other number is not registered. */
const known = new Map(samples.map((sample) => [sample.gstin, asPortalSays(sample)]));
export const taxpayers: ReadonlyMap<string, Taxpayer> = known;

/** Adds the supplier itself, so that it may rehearse with its own GSTIN. */
export function addSupplier(gstin: string, name: string): void {
  if (known.has(gstin)) return;
  known.set(gstin, asPortalSays({ gstin, name, state: gstin.slice(0, 2), stateCode: '', city: '', pin: '' }));
}

function asPortalSays(sample: Sample): Taxpayer {
  const address = {
    bnm: 'SAMPLE HOUSE',
    bno: '1',
    flno: '2',
    st: 'MG ROAD',
    loc: 'SAMPLE NAGAR',
    locality: '',
    landMark: 'NA',
    dst: sample.city,
    city: '',
    stcd: sample.state,
    pncd: sample.pin,
    lt: '',
    lg: '',
    geocodelvl: 'NA',
  };
  return {
    gstin: sample.gstin,
    lgnm: sample.name,
    tradeNam: sample.trade === undefined ? sample.name : sample.trade,
    sts: sample.sts ?? 'Active',
    dty: sample.dty ?? 'Regular',
    ctb: sample.ctb ?? 'Private Limited Company',
    rgdt: '01/07/2017',
    cxdt: sample.cxdt ?? '',
    lstupdt: '12/03/2026',
    nba: sample.nba ?? ['Supplier of Services', 'Office / Sale Office'],
    stj: `State - ${sample.state},Zone - X,Division - Y,Charge - Z`,
    stjCd: `${sample.stateCode}001`,
    ctj: 'Commissionerate - SAMPLE,Division - I,Range - I',
    ctjCd: 'TZ0101',
    einvoiceStatus: sample.eInvoice ?? 'No',
    pradr: { addr: address, ntr: 'Supplier of Services, Office / Sale Office' },
    adadr: [],
  };
}

/** The same as the invoice portal's master data have it. A suspended registration is inactive there. */
export function masterOf({ gstin, sts, lgnm, tradeNam }: Taxpayer) {
  return {
    Gstin: gstin,
    TradeName: tradeNam,
    LegalName: lgnm,
    AddrBnm: 'SAMPLE HOUSE',
    AddrBno: '1',
    AddrFlno: '2',
    AddrSt: 'MG ROAD',
    AddrLoc: 'SAMPLE NAGAR',
    StateCode: Number(gstin.slice(0, 2)),
    AddrPncd: Number(samples.find((sample) => sample.gstin === gstin)?.pin ?? 0),
    TxpType: 'REG',
    Status: sts === 'Active' ? 'ACT' : sts.startsWith('Cancelled') ? 'CNL' : 'INA',
    BlkStatus: 'U',
    DtReg: '2017-07-01',
    DtDReg: null,
  };
}
