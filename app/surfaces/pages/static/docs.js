// Shows /openapi.json; a key that is typed in stays in this page.
"use strict";

if (window.SwaggerUIBundle) {
  window.SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#docs",
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "none",
    filter: true,
    validatorUrl: null,
  });
}
