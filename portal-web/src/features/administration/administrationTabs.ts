import { paths } from '../../paths.ts';

/** The pages of the administrators, in the order of their tabs. The palette offers the same. */
export const administrationTabs = [
  { word: 'Service', path: paths.admin },
  { word: 'Operators', path: paths.adminOperators },
  { word: 'Integrations', path: paths.adminIntegrations },
  { word: 'Certificates', path: paths.adminCertificates },
  { word: 'Webhooks', path: paths.adminWebhooks },
  { word: 'Gate', path: paths.adminGate },
  { word: 'Terms', path: paths.adminTerms },
  { word: 'Tokens', path: paths.adminTokens },
  { word: 'Jobs', path: paths.adminJobs },
  { word: 'Audit', path: paths.adminAudit },
] as const;
