throw new Error('svc-operator-kit runs in Node only: a browser cannot present the client certificate, and must not have its key.');
