CALL dbms.queryJmx('java.lang:type=Memory') YIELD attributes
RETURN attributes.HeapMemoryUsage.value.properties.used AS used, attributes.HeapMemoryUsage.value.properties.max AS most
