"""Vocabularies as people publish them."""

OWL = """
@prefix : <http://example.com/ops#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://example.com/ops> a owl:Ontology ; owl:imports <http://127.0.0.1:1/never> .
:System a owl:Class ; rdfs:label "System"@en ; rdfs:comment "Ein System"@de , "What runs."@en .
:web-service a owl:Class ; rdfs:subClassOf :System , [ a owl:Restriction ; owl:onProperty :port ] .
:Team a owl:Class ; rdfs:subClassOf owl:Thing .
:BFO_0000001 a owl:Class ; rdfs:label "independent continuant" .
:dependsOn a owl:ObjectProperty ; rdfs:domain :web-service ; rdfs:range :System ; rdfs:comment "Needs it to run." .
:owns a owl:ObjectProperty ; rdfs:domain [ owl:unionOf ( :Team :BFO_0000001 ) ] .
:port a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain :web-service ; rdfs:range xsd:integer ;
  rdfs:comment "Where it listens." .
:since a owl:DatatypeProperty ; rdfs:domain :System ; rdfs:range xsd:date .
:nowhere a owl:DatatypeProperty ; rdfs:range xsd:string .
"""

SCHEMA_ORG = """{
  "@context": {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/"
  },
  "@graph": [
    {"@id": "schema:Thing", "@type": "rdfs:Class", "rdfs:label": "Thing", "rdfs:comment": "The most generic type."},
    {"@id": "schema:Person", "@type": "rdfs:Class", "rdfs:subClassOf": {"@id": "schema:Thing"}},
    {"@id": "schema:Organization", "@type": "rdfs:Class", "rdfs:subClassOf": {"@id": "schema:Thing"}},
    {"@id": "schema:Message", "@type": "rdfs:Class", "rdfs:subClassOf": {"@id": "schema:Thing"}},
    {"@id": "schema:3DModel", "@type": "rdfs:Class",
     "rdfs:subClassOf": [{"@id": "schema:Thing"}, {"@id": "schema:Message"}]},
    {"@id": "schema:Text", "@type": ["schema:DataType", "rdfs:Class"]},
    {"@id": "schema:about", "@type": "rdf:Property",
     "schema:domainIncludes": [{"@id": "schema:Message"}, {"@id": "schema:3DModel"}],
     "schema:rangeIncludes": {"@id": "schema:Thing"}},
    {"@id": "schema:sender", "@type": "rdf:Property", "schema:domainIncludes": {"@id": "schema:Message"},
     "schema:rangeIncludes": [{"@id": "schema:Person"}, {"@id": "schema:Organization"}, {"@id": "schema:Text"}]},
    {"@id": "schema:name", "@type": "rdf:Property", "rdfs:comment": "The name.",
     "schema:domainIncludes": {"@id": "schema:Thing"}, "schema:rangeIncludes": {"@id": "schema:Text"}},
    {"@id": "schema:price", "@type": "rdf:Property", "schema:domainIncludes": {"@id": "schema:Thing"},
     "schema:rangeIncludes": [{"@id": "schema:Number"}, {"@id": "schema:Text"}]}
  ]
}"""
