import type { Call } from './Call.ts';

export function java({ name, method, path, headers, body }: Call): string {
  const publisher = body
    ? 'json' in body
      ? `HttpRequest.BodyPublishers.ofString(${JSON.stringify(JSON.stringify(body.json))})`
      : `HttpRequest.BodyPublishers.ofFile(Path.of("${body.file}"))`
    : null;
  const steps = [
    ...headers.map(([header, value]) => `.header("${header}", "${value}")`),
    publisher ? `.${method}(${publisher})` : '.GET()',
    '.build();',
  ];
  const imports = ['java.io.File', 'java.net.URI', 'java.net.http.HttpClient', 'java.net.http.HttpRequest', 'java.net.http.HttpResponse'];
  if (body && !('json' in body)) imports.push('java.nio.file.Path');
  imports.push('java.security.KeyStore', 'javax.net.ssl.KeyManagerFactory', 'javax.net.ssl.SSLContext');
  return `${imports.map((each) => `import ${each};`).join('\n')}

public class ${name.charAt(0).toUpperCase()}${name.slice(1)} {
    public static void main(String[] args) throws Exception {
        // {{name}}
        // openssl pkcs12 -export -inkey {{files}}.key -in {{files}}.pem -out {{files}}.p12
        char[] password = System.getenv("P12_PASSWORD").toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(new File("{{files}}.p12"), password), password);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);

        HttpClient client = HttpClient.newBuilder().sslContext(tls).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("{{origin}}${path}"))
            ${steps.join('\n            ')}
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
`;
}
