import { parseGstin } from '#shared/domain/gstin.ts';
import { findState } from '#shared/domain/states.ts';

/**
 * Checks a GSTR-1 file as the GST portal does on upload, and also that the tables add up to each other. It reads only
 * the file and shares no code with the writer.
 */

type Fields = Record<string, unknown>;
interface Amounts {
  txval: number;
  iamt: number;
  camt: number;
  samt: number;
}

const rates = new Set([0, 0.1, 0.25, 1, 1.5, 3, 5, 6, 7.5, 12, 18, 28, 40]);
const zero: Amounts = { txval: 0, iamt: 0, camt: 0, samt: 0 };
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
/** Integer paise, so that no fractions are compared. */
const paise = (value: unknown): number => Math.round(numberOf(value) * 100);

function amountsOf(fields: Fields): Amounts {
  return {
    txval: paise(fields['txval'] ?? fields['ad_amt']),
    iamt: paise(fields['iamt']),
    camt: paise(fields['camt']),
    samt: paise(fields['samt']),
  };
}

function sumOf(all: readonly Amounts[], sign = 1): Amounts {
  return all.reduce(
    (sum, each) => ({
      txval: sum.txval + sign * each.txval,
      iamt: sum.iamt + sign * each.iamt,
      camt: sum.camt + sign * each.camt,
      samt: sum.samt + sign * each.samt,
    }),
    zero,
  );
}

/** The items of an invoice or note, wherever their amounts are. */
const itemsOf = (document: Fields): Fields[] =>
  listOf(document['itms']).map((item) => (isFields(item['itm_det']) ? item['itm_det'] : item));

class Checker {
  readonly faults: string[] = [];
  readonly #file: Fields;
  readonly #month: string;
  readonly #seen = new Set<string>();
  readonly #amended = new Set<string>();

  constructor(file: Fields) {
    this.#file = file;
    this.#month = textOf(file['fp']);
  }

  check(): string[] {
    const file = this.#file;
    this.#say(parseGstin(textOf(file['gstin'])).valid, `gstin ${textOf(file['gstin'])} is not valid`);
    this.#say(/^(0[1-9]|1[0-2])20\d\d$/.test(this.#month), `fp ${this.#month} is not a month`);
    for (const party of listOf(file['b2b'])) this.#party('b2b', party, listOf(party['inv']), 'inum', 'idt');
    for (const party of listOf(file['cdnr'])) this.#party('cdnr', party, listOf(party['nt']), 'nt_num', 'nt_dt');
    for (const party of listOf(file['b2ba'])) this.#party('b2ba', party, listOf(party['inv']), 'inum', 'idt');
    for (const party of listOf(file['cdnra'])) this.#party('cdnra', party, listOf(party['nt']), 'nt_num', 'nt_dt');
    for (const place of listOf(file['b2cl'])) this.#large(place);
    for (const type of listOf(file['exp'])) {
      this.#say(
        ['WPAY', 'WOPAY'].includes(textOf(type['exp_typ'])),
        `exp: ${textOf(type['exp_typ'])} is no export type`,
      );
      for (const each of listOf(type['inv'])) this.#document('exp', each, 'inum', 'idt');
    }
    for (const note of listOf(file['cdnur'])) this.#document('cdnur', note, 'nt_num', 'nt_dt');
    for (const row of listOf(file['b2cs'])) this.#place('b2cs', row, [row]);
    this.#exempt(listOf(fieldsOf(file['nil'])['inv']));
    for (const table of ['at', 'txpd']) {
      for (const row of listOf(file[table])) this.#place(table, row, listOf(row['itms']));
    }
    this.#totals();
    this.#series();
    return this.faults;
  }

  #say(isRight: boolean, fault: string): void {
    if (!isRight) this.faults.push(fault);
  }

  #party(table: string, party: Fields, documents: Fields[], number: string, date: string): void {
    const ctin = textOf(party['ctin']);
    this.#say(parseGstin(ctin).valid, `${table}: ctin ${ctin} is not valid`);
    this.#say(ctin !== textOf(this.#file['gstin']), `${table}: ctin ${ctin} is the supplier's own`);
    this.#say(documents.length > 0, `${table}: ${ctin} has no documents`);
    for (const each of documents) {
      this.#document(table, each, number, date);
      this.#say(
        ['R', 'SEWP', 'SEWOP', 'DE'].includes(textOf(each['inv_typ'])),
        `${table}: ${textOf(each[number])}: inv_typ`,
      );
      this.#say(['Y', 'N'].includes(textOf(each['rchrg'])), `${table}: ${textOf(each[number])}: rchrg`);
    }
  }

  #large(place: Fields): void {
    for (const each of listOf(place['inv'])) {
      this.#document('b2cl', { ...each, pos: place['pos'] }, 'inum', 'idt');
      this.#say(paise(each['val']) > 10_000_000, `b2cl: ${textOf(each['inum'])} is not above ₹1,00,000`);
      for (const item of itemsOf(each))
        this.#say(!('camt' in item), `b2cl: ${textOf(each['inum'])} is not inter-State`);
    }
  }

  #document(table: string, document: Fields, numberField: string, dateField: string): void {
    const number = textOf(document[numberField]);
    const name = `${table}: ${number}`;
    this.#say(/^[A-Za-z0-9/-]{1,16}$/.test(number), `${name} is not a number of a document`);
    if (table === 'b2ba' || table === 'cdnra') this.#amendment(name, document, numberField, dateField);
    else this.#issued(name, number, textOf(document[dateField]));
    if ('pos' in document)
      this.#say(findState(textOf(document['pos'])) !== undefined, `${name}: pos ${textOf(document['pos'])}`);
    const items = itemsOf(document);
    this.#say(items.length > 0, `${name} has no items`);
    for (const item of items) this.#item(name, item);
    const { txval, iamt, camt, samt } = sumOf(items.map(amountsOf));
    // A document may be rounded off to the rupee.
    this.#say(
      Math.abs(paise(document['val']) - txval - iamt - camt - samt) < 100,
      `${name}: val is not the sum of its items`,
    );
  }

  #issued(name: string, number: string, date: string): void {
    this.#say(!this.#seen.has(number), `${name} is listed twice in the file`);
    this.#seen.add(number);
    const [, month = '', year = ''] = date.split('-');
    this.#say(`${month}${year}` === this.#month, `${name} is dated ${date}`);
  }

  /** A document of an earlier month, once; the revised date may not leave the month of the original, nor the original be too old (s.37(3)). */
  #amendment(name: string, document: Fields, numberField: string, dateField: string): void {
    const original = textOf(document[`o${numberField}`]);
    this.#say(/^[A-Za-z0-9/-]{1,16}$/.test(original), `${name}: o${numberField} ${original}`);
    this.#say(!this.#amended.has(original), `${name} is amended twice in the file`);
    this.#amended.add(original);
    const [day = '', month = '', year = ''] = textOf(document[`o${dateField}`]).split('-');
    this.#say(
      /^\d\d$/.test(day) && textOf(document[dateField]).endsWith(`-${month}-${year}`),
      `${name}: o${dateField}`,
    );
    const [originalMonth, returnMonth] = [`${year}${month}`, `${this.#month.slice(2)}${this.#month.slice(0, 2)}`];
    this.#say(originalMonth < returnMonth, `${name}: the original is dated ${month}-${year}`);
    const lastYear = Number(year) + (Number(month) < 4 ? 0 : 1);
    this.#say(returnMonth <= `${lastYear}11`, `${name}: too late, after November ${lastYear}`);
  }

  #item(name: string, item: Fields): void {
    const { txval, iamt, camt, samt } = amountsOf(item);
    const rate = numberOf(item['rt']);
    this.#say(rates.has(rate), `${name}: ${rate} % is not a rate of GST`);
    this.#say(camt === samt, `${name}: central and State tax differ`);
    this.#say(iamt === 0 || camt === 0, `${name}: integrated and central tax in one`);
    // Each half is rounded separately.
    this.#say(
      Math.abs((txval * rate) / 100 - iamt - camt - samt) <= 2,
      `${name}: tax is not ${rate} % of the taxable value`,
    );
  }

  #place(table: string, row: Fields, items: Fields[]): void {
    const name = `${table}: ${textOf(row['pos'])}`;
    this.#say(findState(textOf(row['pos'])) !== undefined, `${name}: pos`);
    const within = textOf(row['sply_ty']) === 'INTRA';
    this.#say(within || textOf(row['sply_ty']) === 'INTER', `${name}: sply_ty`);
    this.#say(
      !within || textOf(row['pos']) === textOf(this.#file['gstin']).slice(0, 2),
      `${name}: INTRA outside the State`,
    );
    for (const item of items) {
      this.#say(within ? paise(item['iamt']) === 0 : !('camt' in item), `${name}: tax of the other kind`);
      this.#sum(name, item);
      this.#say(item['camt'] === item['samt'], `${name}: central and State tax differ`);
    }
  }

  #exempt(rows: Fields[]): void {
    const types = rows.map((row) => textOf(row['sply_ty']));
    for (const type of types) this.#say(/^(INTR|INTRA)B2[BC]$/.test(type), `nil: sply_ty ${type}`);
    this.#say(new Set(types).size === types.length, 'nil: a kind of supply is listed twice');
  }

  /** Table 12 repeats the supplies of all other tables, by code. */
  #totals(): void {
    const file = this.#file;
    const of = (table: string, documents: string): Fields[] =>
      listOf(file[table]).flatMap((each) => listOf(each[documents]));
    const items = (documents: Fields[]): Amounts[] => documents.flatMap(itemsOf).map(amountsOf);
    const exempt = (buyers: string): Amounts => {
      const rows = listOf(fieldsOf(file['nil'])['inv']).filter((row) => textOf(row['sply_ty']).endsWith(buyers));
      const columns = rows.flatMap((row) => [row['nil_amt'], row['expt_amt'], row['ngsup_amt']]);
      return { ...zero, txval: columns.reduce((sum: number, value) => sum + paise(value), 0) };
    };
    const registered = sumOf([sumOf(items(of('b2b', 'inv'))), sumOf(items(of('cdnr', 'nt')), -1), exempt('B2B')]);
    const others = sumOf([
      sumOf(items([...of('b2cl', 'inv'), ...of('exp', 'inv')])),
      sumOf(listOf(file['b2cs']).map(amountsOf)),
      exempt('B2C'),
      sumOf(items(listOf(file['cdnur'])), -1),
    ]);
    const hsn = fieldsOf(file['hsn']);
    for (const [part, wanted] of [
      ['hsn_b2b', registered],
      ['hsn_b2c', others],
    ] as const) {
      const rows = listOf(hsn[part]);
      const found = sumOf(rows.map(amountsOf));
      for (const column of ['txval', 'iamt', 'camt', 'samt'] as const)
        this.#say(
          found[column] === wanted[column],
          `hsn: ${column} of ${part} is ${found[column]} paise, the tables have ${wanted[column]}`,
        );
      for (const row of rows) this.#code(row);
    }
  }

  #code(row: Fields): void {
    const name = `hsn: ${textOf(row['hsn_sc'])}`;
    this.#say(/^99\d{4}$/.test(textOf(row['hsn_sc'])), `${name} is not a code of a service`);
    this.#say(
      textOf(row['desc']) !== '' && textOf(row['uqc']) === 'NA' && row['qty'] === 0,
      `${name}: desc, uqc or qty`,
    );
    this.#sum(name, row);
  }

  /** A row over several documents, each rounded separately. */
  #sum(name: string, row: Fields): void {
    const { txval, iamt, camt, samt } = amountsOf(row);
    const rate = numberOf(row['rt']);
    this.#say(rates.has(rate), `${name}: ${rate} % is not a rate of GST`);
    const rounding = 2 * this.#documentsIssued();
    this.#say(Math.abs((txval * rate) / 100 - iamt - camt - samt) <= rounding, `${name}: tax is not ${rate} %`);
  }

  #documentsIssued(): number {
    return listOf(fieldsOf(this.#file['doc_issue'])['doc_det'])
      .flatMap((nature) => listOf(nature['docs']))
      .reduce((sum, each) => sum + numberOf(each['totnum']), 0);
  }

  #series(): void {
    let documents = 0;
    for (const nature of listOf(fieldsOf(this.#file['doc_issue'])['doc_det'])) {
      this.#say([1, 5, 6, 8].includes(numberOf(nature['doc_num'])), `doc_issue: ${numberOf(nature['doc_num'])}`);
      for (const each of listOf(nature['docs'])) {
        const [total, cancelled] = [numberOf(each['totnum']), numberOf(each['cancel'])];
        this.#say(
          total >= 1 && cancelled >= 0 && each['net_issue'] === total - cancelled,
          `doc_issue: ${textOf(each['from'])}`,
        );
        if (numberOf(nature['doc_num']) <= 5) documents += total - cancelled;
      }
    }
    this.#say(
      documents >= this.#seen.size,
      `doc_issue: ${documents} documents issued, ${this.#seen.size} in the tables`,
    );
  }
}

/** The errors in a GSTR-1 file; empty when there are none. */
export function faultsOfGstr1(file: unknown): string[] {
  return new Checker(fieldsOf(file)).check();
}
