/** A city with its PIN for each State that has one, for tests. */
const cities: Readonly<Record<string, readonly [city: string, pin: string]>> = {
  '01': ['Srinagar', '190001'],
  '02': ['Shimla', '171001'],
  '03': ['Ludhiana', '141001'],
  '04': ['Chandigarh', '160022'],
  '05': ['Dehradun', '248001'],
  '06': ['Gurugram', '122001'],
  '07': ['New Delhi', '110001'],
  '08': ['Jaipur', '302001'],
  '09': ['Lucknow', '226001'],
  '10': ['Patna', '800001'],
  '11': ['Gangtok', '737101'],
  '12': ['Itanagar', '791111'],
  '13': ['Kohima', '797001'],
  '14': ['Imphal', '795001'],
  '15': ['Aizawl', '796001'],
  '16': ['Agartala', '799001'],
  '17': ['Shillong', '793001'],
  '18': ['Guwahati', '781001'],
  '19': ['Kolkata', '700001'],
  '20': ['Ranchi', '834001'],
  '21': ['Bhubaneswar', '751001'],
  '22': ['Raipur', '492001'],
  '23': ['Bhopal', '462001'],
  '24': ['Ahmedabad', '380001'],
  '26': ['Daman', '396210'],
  '27': ['Mumbai', '400001'],
  '29': ['Bengaluru', '560025'],
  '30': ['Panaji', '403001'],
  '31': ['Kavaratti', '682555'],
  '32': ['Thiruvananthapuram', '695001'],
  '33': ['Chennai', '600001'],
  '34': ['Puducherry', '605001'],
  '35': ['Port Blair', '744101'],
  '36': ['Hyderabad', '500001'],
  '37': ['Vijayawada', '520001'],
  '38': ['Leh', '194101'],
};

/** State, city and PIN of an address in a State. */
export function placeIn(stateCode: string): { stateCode: string; city: string; pin: string } {
  const found = cities[stateCode];
  if (!found) throw new Error(`no city in ${stateCode}`);
  const [city, pin] = found;
  return { stateCode, city, pin };
}
