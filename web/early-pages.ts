/**
 * The usual entry pages: their code and these calls are requested before any code runs (before-page.js). In the paths,
 * `:` begins a parameter.
 */
export const earlyPages = [
  {
    path: '/marketplace',
    module: 'features/marketplace/marketplace-page.tsx',
    calls: ['/customer/activations', '/marketplace', '/account'],
  },
  {
    path: '/api/:activationId',
    module: 'features/usage/api-page.tsx',
    calls: [
      '/customer/activations',
      '/devportal/services/:activationId/usage',
      '/devportal/services/:activationId/apikeys',
      '/account',
    ],
  },
] as const;
