using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .mock),
    (name = "disk", disk = (path = "sandboxes", writable = true)),
  ],
  # Put a proxy that speaks TLS in front of it before others can reach it.
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")],
);

const mock :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "out/worker.js")],
  compatibilityDate = "2026-07-01",
  # So that the journal can tell a client that left from one that was answered.
  compatibilityFlags = ["enable_request_signal"],
  durableObjectNamespaces = [(className = "Sandbox", uniqueKey = "animal-store-sandbox", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    (name = "SANDBOXES", durableObjectNamespace = "Sandbox"),
    (name = "SCENARIO", text = "default"),
    # From the environment, so that the secret is in no file: at least 16 characters, or none to leave the control API off.
    (name = "CONTROL_TOKEN", fromEnvironment = "CONTROL_TOKEN"),
  ],
);
