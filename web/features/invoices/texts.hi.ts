import type { Catalogue } from '#web/language/language.ts';

/** The texts of this folder in Hindi, by their English. */
export const hindi: Catalogue = {
  Invoice: 'इनवॉइस',
  'Download invoice {number}': 'इनवॉइस {number} डाउनलोड करें',
  'Downloading...': 'डाउनलोड हो रहा है...',
  'Invoice download initiated successfully!': 'इनवॉइस का डाउनलोड शुरू हो गया!',
  'Failed to download invoice. Please try again.': 'इनवॉइस डाउनलोड नहीं हो सका। कृपया फिर से कोशिश करें।',
  'Usage (CSV)': 'उपयोग (CSV)',
  'More for {name}': '{name} के लिए और',
  'Failed to download usage. Please try again.': 'उपयोग डाउनलोड नहीं हो सका। कृपया फिर से कोशिश करें।',
  'Billing History': 'बिलिंग इतिहास',
  'All activations': 'सभी एक्टिवेशन',
  'Loading billing history': 'बिलिंग इतिहास लोड हो रहा है',
  'Failed to load billing data': 'बिलिंग डेटा लोड नहीं हो सका',
  'No billing history available': 'कोई बिलिंग इतिहास उपलब्ध नहीं',
  'Payments and invoices appear after your first plan.': 'भुगतान और इनवॉइस आपके पहले प्लान के बाद यहाँ दिखेंगे।',
  Date: 'तारीख़',
  Plan: 'प्लान',
  Status: 'स्थिति',
  Payment: 'भुगतान',
  Amount: 'राशि',
  None: 'कोई नहीं',
  pending: 'बाकी',
  failed: 'असफल',
  Paid: 'भुगतान हो गया',
  '{amount} refund started': '{amount} का रिफ़ंड शुरू',
  '{amount} refund under way': '{amount} का रिफ़ंड जारी',
  '{amount} refund by bank transfer: send your bank account to support':
    '{amount} का रिफ़ंड बैंक ट्रांसफ़र से: अपने बैंक खाते का विवरण सहायता को भेजें',
  '{amount} refunded': '{amount} का रिफ़ंड हुआ',
  '{amount} refund failed, contact support': '{amount} का रिफ़ंड असफल, सहायता से संपर्क करें',
};
