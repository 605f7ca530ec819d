/** A command with what it does. */
export type Command = { what: string; command: string };

/** What a command needs to know. `machineApiUrl` ends with /v1; `keyName` is what the files of the certificate are called. */
export type CallFacts = { machineApiUrl: string; developmentCa: boolean; keyName: string };

/** curl with the client certificate, and on a development service with its own authority, by the names of the downloaded files. */
export function curlWithCertificate({ developmentCa, keyName }: Omit<CallFacts, 'machineApiUrl'>): string {
  return `curl ${developmentCa ? '--cacert ca.pem ' : ''}--cert ${keyName}.pem --key ${keyName}.key`;
}

/** The first calls with curl, for the files that the certificates page speaks of. */
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
