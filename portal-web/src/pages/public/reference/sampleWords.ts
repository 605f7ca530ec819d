import type { Language } from '../../../features/reference/referenceTypes.ts';

export const languageNames: Readonly<Record<Language, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
};

/** How a language is told to trust the certificate of a development service. */
export const trustCommands: Readonly<Record<Language, string>> = {
  curl: 'export CURL_CA_BUNDLE=ca.pem',
  typescript: 'export NODE_EXTRA_CA_CERTS=ca.pem',
  python: 'export SSL_CERT_FILE=ca.pem',
  go: 'export SSL_CERT_FILE=ca.pem',
  java: 'keytool -importcert -noprompt -alias svc -file ca.pem -keystore trust.p12 -storepass changeit && export JAVA_TOOL_OPTIONS="-Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit"',
};
