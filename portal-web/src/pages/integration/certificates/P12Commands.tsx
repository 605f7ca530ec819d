import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { paths } from '../../../paths.ts';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { type CallFacts, curlWithCertificate, fetchAuthority, installKit } from '../../../features/integration/firstCallCommands.ts';
import { kitVersion } from '../../../features/integration/kitVersion.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';

type P12CommandsProps = { keyName: string; service: Pick<Service, 'portalUrl' | 'machineApiUrl' | 'developmentCa'> };

/** How to call the machine API with a package, in the reader's language and with the reader's file name. */
export function P12Commands({ keyName, service }: P12CommandsProps) {
  const [environment] = useEnvironment();
  const [tool, setTool] = useState<P12Tool>('kit');
  const { what, text } = p12Commands[tool]({ ...service, keyName, environment });
  return (
    <Stack gap="xs" w="100%" align="stretch">
      <SegmentedControl
        aria-label="Tool"
        data={Object.entries(p12Tools).map(([value, label]) => ({ value, label }))}
        value={tool}
        onChange={(value) => setTool(value as P12Tool)}
        w="fit-content"
        maw="100%"
      />
      <Text size="sm" maw={640}>
        {what}
        {service.developmentCa && tool !== 'openssl' && (
          <>
            {' '}
            This is a development server, so you also need{' '}
            <Anchor href={paths.developmentCa} download="ca.pem" inherit>
              ca.pem
            </Anchor>
            .
          </>
        )}
      </Text>
      <CopyableCode value={text} label={`the example for ${p12Tools[tool]}`} block />
    </Stack>
  );
}

/** The tools for which there is an example. */
const p12Tools = { kit: 'Kit (Node)', openssl: 'openssl', python: 'Python', java: 'Java' } as const;
type P12Tool = keyof typeof p12Tools;

type P12Facts = CallFacts & { readonly portalUrl: string; readonly environment: 'sandbox' | 'production' };
type Example = { readonly what: string; readonly text: string };

const fromTheEnvironment = 'It reads the password from the environment variable P12_PASSWORD.';

/** For each tool, how to make the first call with a package. Passwords are asked for or come from the environment, never from a command line. */
const p12Commands: Readonly<Record<P12Tool, (facts: P12Facts) => Example>> = {
  kit: ({ keyName, environment, portalUrl, machineApiUrl, developmentCa }) => ({
    what: `Save this as call.mjs, install the kit as its first line says, and run it with node call.mjs. ${fromTheEnvironment}`,
    text: `// ${installKit({ portalUrl, kitVersion })}
${developmentCa ? "import { readFileSync } from 'node:fs';\n" : ''}import { OperatorClient, pfxFile } from 'svc-operator-kit';

const client = new OperatorClient({
  baseUrl: '${machineApiUrl}',
  credentials: pfxFile('${keyName}.p12', () => process.env.P12_PASSWORD),
  expect: { environment: '${environment}' },${developmentCa ? "\n  ca: readFileSync('ca.pem', 'utf8')," : ''}
});
console.log(await client.capabilities());
client.close();`,
  }),
  openssl: (facts) => ({
    what: 'Splits the package into a certificate and a key without a password, for curl and most web servers. openssl asks for the password.',
    text: [
      ...fetchAuthority(facts),
      `openssl pkcs12 -in ${facts.keyName}.p12 -nokeys -out ${facts.keyName}.pem`,
      `(umask 077; openssl pkcs12 -in ${facts.keyName}.p12 -nocerts -nodes -out ${facts.keyName}.key)`,
      `${curlWithCertificate(facts)} ${facts.machineApiUrl}/capabilities`,
      // As one command: openssl would take the next line that was pasted for the password.
    ].join(' && \\\n  '),
  }),
  python: ({ keyName, machineApiUrl, developmentCa }) => ({
    what: `Save this as call.py, install the package cryptography, and run it with python3 call.py. ${fromTheEnvironment}`,
    text: `import os, ssl, tempfile, urllib.request
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, pkcs12

with open("${keyName}.p12", "rb") as file:
    key, certificate, chain = pkcs12.load_key_and_certificates(file.read(), os.environ["P12_PASSWORD"].encode())
context = ssl.create_default_context(${developmentCa ? 'cafile="ca.pem"' : ''})
with tempfile.NamedTemporaryFile() as pem:  # Python's ssl reads keys from files only. This one is readable by you alone, and removed.
    pem.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    for each in [certificate, *chain]:
        pem.write(each.public_bytes(Encoding.PEM))
    pem.flush()
    context.load_cert_chain(pem.name)
with urllib.request.urlopen("${machineApiUrl}/capabilities", context=context) as response:
    print(response.read().decode())`,
  }),
  java: ({ keyName, machineApiUrl, developmentCa }) => ({
    what: `Save this as Call.java and run it with java Call.java. ${fromTheEnvironment}`,
    text: `import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.security.KeyStore;
${developmentCa ? 'import java.security.cert.CertificateFactory;\n' : ''}import javax.net.ssl.*;

class Call {
  public static void main(String[] args) throws Exception {
    char[] password = System.getenv("P12_PASSWORD").toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (var file = Files.newInputStream(Path.of("${keyName}.p12"))) {
      store.load(file, password);
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
${developmentCa ? trustOfDevelopmentCa : ''}    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), ${developmentCa ? 'trust.getTrustManagers()' : 'null'}, null);
    HttpClient client = HttpClient.newBuilder().sslContext(tls).build();
    HttpRequest request = HttpRequest.newBuilder(URI.create("${machineApiUrl}/capabilities")).build();
    System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }
}`,
  }),
};

const trustOfDevelopmentCa = `    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    try (var file = Files.newInputStream(Path.of("ca.pem"))) {
      authorities.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
`;
