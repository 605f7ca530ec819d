/** A command with what it does. */
type Command = { what: string; command: string };

/** What a command is made from. `machineApiUrl` ends with /v1; `keyName` is the name of the certificate's files without their extension. */
export type CallFacts = { machineApiUrl: string; developmentCa: boolean; keyName: string };

/**
 * curl with the client certificate and, on a development service, with that service's own certificate authority. The file names are those
 * of the downloads.
 */
export function curlWithCertificate({ developmentCa, keyName }: Omit<CallFacts, 'machineApiUrl'>): string {
  return `curl ${developmentCa ? '--cacert ca.pem ' : ''}--cert ${keyName}.pem --key ${keyName}.key`;
}

/** The first calls with curl, with the file names that the certificates page uses. */
export function firstCallCommands({ machineApiUrl, developmentCa, keyName }: CallFacts): Command[] {
  const curl = curlWithCertificate({ developmentCa, keyName });
  return [
    { what: 'Check what you have access to', command: `${curl} ${machineApiUrl}/capabilities` },
    { what: 'Get the first page', command: `${curl} ${machineApiUrl}/sync` },
    {
      what: 'Get the next page, with next_cursor from the previous response',
      command: `${curl} "${machineApiUrl}/sync?updated_since=NEXT_CURSOR"`,
    },
  ];
}
