using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .mock),
    (name = "disk", disk = (path = "sandboxes", writable = true)),
  ],
  # Put a TLS proxy in front before others can reach it.
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")],
);

const mock :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "out/worker.js")],
  compatibilityDate = "2026-07-01",
  # So that the request log shows clients that left before their response.
  compatibilityFlags = ["enable_request_signal"],
  durableObjectNamespaces = [(className = "Sandbox", uniqueKey = "animal-store-sandbox", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    (name = "SANDBOXES", durableObjectNamespace = "Sandbox"),
    (name = "SCENARIO", text = "default"),
    # From the environment: at least 16 characters. Without it, the control API is off.
    (name = "CONTROL_TOKEN", fromEnvironment = "CONTROL_TOKEN"),
  ],
);
