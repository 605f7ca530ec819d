import { paths } from '../../paths.ts';

/** What a command is made from. `machineApiUrl` ends with /v1; `keyName` is the name of the certificate's files without their extension. */
export type CallFacts = { machineApiUrl: string; developmentCa: boolean; keyName: string };

/**
 * curl with the client certificate and, on a development service, with that service's own certificate authority. The file names are those
 * of the downloads.
 */
export function curlWithCertificate({ developmentCa, keyName }: Omit<CallFacts, 'machineApiUrl'>): string {
  return `curl ${developmentCa ? '--cacert ca.pem ' : ''}--cert ${keyName}.pem --key ${keyName}.key`;
}

type Portal = { portalUrl: string; developmentCa: boolean };

/** Saves the certificate authority of a development service as ca.pem, which the other commands read. Elsewhere no command is needed. */
export function fetchAuthority({ portalUrl, developmentCa }: Portal): readonly string[] {
  return developmentCa ? [`curl -sS -o ca.pem ${new URL(paths.developmentCa, portalUrl).href}`] : [];
}

/** What is pasted for the first calls, in a folder that holds nothing but key and certificate. `syncs`: whether a sync would be answered. */
export function firstCallCommands(facts: CallFacts & Portal, syncs: boolean): string {
  const { keyName, machineApiUrl } = facts;
  const curl = curlWithCertificate(facts);
  return [
    ...fetchAuthority(facts),
    `chmod 600 ${keyName}.key`,
    `${curl} ${machineApiUrl}/capabilities`,
    ...(syncs ? [`${curl} -sS -o page.json ${machineApiUrl}/sync`] : []),
  ].join('\n');
}
