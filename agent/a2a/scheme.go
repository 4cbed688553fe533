package a2a

import "github.com/cd3b852d/agentgen/generated/agentapi"

// schemes adds to each scheme the form that A2A 1.0 has for it.
func schemes(declared map[string]agentapi.SecurityScheme) map[string]agentapi.SecurityScheme {
	if declared == nil {
		return nil
	}
	all := make(map[string]agentapi.SecurityScheme, len(declared))
	for name, scheme := range declared {
		all[name] = wrapped(scheme)
	}
	return all
}

// wrapped says the same twice: flat, as OpenAPI and A2A 0.3 do, and under the key of its type.
func wrapped(s agentapi.SecurityScheme) agentapi.SecurityScheme {
	switch s.Type {
	case agentapi.SecuritySchemeTypeAPIKey:
		s.APIKeySecurityScheme = &agentapi.APIKeySecurityScheme{
			Location:    agentapi.APIKeySecuritySchemeLocation(s.In),
			Name:        s.Name,
			Description: s.Description,
		}
	case agentapi.SecuritySchemeTypeHTTP:
		s.HTTPAuthSecurityScheme = &agentapi.HTTPAuthSecurityScheme{
			Scheme:       s.Scheme,
			BearerFormat: s.BearerFormat,
			Description:  s.Description,
		}
	case agentapi.SecuritySchemeTypeOAuth2:
		s.Flows = flows(s.Flows)
		s.OAuth2SecurityScheme = &agentapi.OAuth2SecurityScheme{
			Flows:             s.Flows,
			OAuth2MetadataURL: s.OAuth2MetadataURL,
			Description:       s.Description,
		}
	case agentapi.SecuritySchemeTypeOpenIDConnect:
		s.OpenIDConnectSecurityScheme = &agentapi.OpenIDConnectSecurityScheme{
			OpenIDConnectURL: s.OpenIDConnectURL,
			Description:      s.Description,
		}
	case agentapi.SecuritySchemeTypeMutualTLS:
		s.MTLSSecurityScheme = &agentapi.MTLSSecurityScheme{Description: s.Description}
	}
	return s
}

// flows makes the scopes of each flow a map, be it empty. The declared flows stay as they are.
func flows(declared *agentapi.OAuthFlows) *agentapi.OAuthFlows {
	var all agentapi.OAuthFlows
	if declared != nil {
		all = *declared
	}
	for _, flow := range []**agentapi.OAuthFlow{
		&all.AuthorizationCode, &all.ClientCredentials, &all.DeviceCode, &all.Implicit, &all.Password,
	} {
		if *flow != nil && (*flow).Scopes == nil {
			scoped := **flow
			scoped.Scopes = map[string]string{}
			*flow = &scoped
		}
	}
	return &all
}
